import { type ErrorCode, endpoints, limits, type Role } from '@simcube/contract';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type AnyResponse,
  byUserId,
  emailOf,
  freshEmail,
  invitationTokenFor,
} from '../../../testing/accounts.ts';
import {
  anonymous,
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
  testPassword,
} from '../../../testing/app.ts';
import { takeMails } from '../../../testing/mail.ts';

/** Concurrent requests for the same thing. The rows concerned are locked until both wait for them. */

type Org = Awaited<ReturnType<typeof makeOrganisation>>;

let test: TestApp;
let operator: Org;
let org: Org;
let other: Org;
let first: TestClient;
let second: TestClient;
let count = 0;
const { account } = endpoints;
const { acceptInvitation, invite, revokeInvitation } = endpoints.identity;
const newcomer = { first_name: 'Ana', last_name: 'Li', password: 'own-Pass1!' };
const ok = 'CB-00-0000';
const byText = (a: string, b: string): number => (a < b ? -1 : 1);

beforeAll(async () => {
  test = await testApp();
  operator = await makeOrganisation(test, { code: 'the-operator' });
});

afterAll(() => test.close());

beforeEach(async () => {
  count += 1;
  org = await makeOrganisation(test, { code: `one-${count}`, parentCode: operator.code });
  other = await makeOrganisation(test, { code: `other-${count}`, parentCode: operator.code });
  first = await signedInAs(test, 'superadmin', org);
  second = await signedInAs(test, 'superadmin', org);
});

const codeOf = async (call: Promise<AnyResponse>): Promise<string> => (await call).body.status.code;
const one = async <T>(text: string, values: unknown[]): Promise<T> =>
  (await test.database.pool.query(text, values)).rows[0];

/**
 * Starts the calls while a transaction has done `holding`, waits until the same number of connections wait for
 * a lock, and ends it.
 * @returns the codes of their responses
 */
const together = async (
  holding: (tx: pg.PoolClient) => Promise<unknown>,
  calls: readonly (() => Promise<AnyResponse>)[],
): Promise<string[]> => {
  const tx = await test.database.pool.connect();
  try {
    await tx.query('begin');
    await holding(tx);
    const answers = calls.map((call) => codeOf(call()));
    await vi.waitFor(
      async () => {
        const { waiting } = await one<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
          [],
        );
        expect(waiting).toBe(calls.length);
      },
      { timeout: 10_000, interval: 5 },
    );
    await tx.query('commit');
    return await Promise.all(answers);
  } finally {
    // Discarded: after a failure it may still hold locks.
    tx.release(true);
  }
};

const holdOrg = (tx: pg.PoolClient) =>
  tx.query('select from organisations where id = $1 for no key update', [org.id]);
const holdInvitation = (tx: pg.PoolClient) =>
  tx.query('select from invitations where org_id = $1 for update', [org.id]);
const holdMemberships = (tx: pg.PoolClient) =>
  tx.query('select from memberships where org_id = $1 for update', [org.id]);

const inviting = (client: TestClient, email: string) => () =>
  client.call(invite, { body: { email, role: 'operator', language: 'en-US' } });

const invited = async (client: TestClient, email: string): Promise<{ id: string; token: string }> => {
  const answer = await inviting(client, email)();
  const token = await invitationTokenFor(test, email);
  return { id: answer.body.data.id, token };
};

const accepting = (token: string) => () =>
  anonymous(test).call(acceptInvitation, { body: { token, agreement: true, person: newcomer } });

const removing = (client: TestClient, target: TestClient) => () =>
  client.call(account.remove, byUserId(target));
const giving = (client: TestClient, target: TestClient, role: Role) => () =>
  client.call(account.update, {
    ...byUserId(target),
    body: { first_name: 'user', last_name: 'Tester', locale: 'en-US', role },
  });

const membershipsOf = async (
  userId: string,
): Promise<{ role: Role; is_default: boolean; org_id: number }[]> =>
  (
    await test.database.pool.query(
      'select role, is_default, org_id from memberships where user_id = $1 order by org_id',
      [userId],
    )
  ).rows;

const peopleWith = async (email: string): Promise<string[]> =>
  (await test.database.pool.query('select id from users where lower(email) = $1', [email])).rows.map(
    ({ id }) => id,
  );

describe('the last seat', () => {
  beforeEach(async () => {
    await test.database.pool.query('update organisations set seat_limit = 3 where id = $1', [org.id]);
  });

  it('goes to one of two who invite', async () => {
    const codes = await together(holdOrg, [inviting(first, freshEmail()), inviting(second, freshEmail())]);
    expect(codes.toSorted(byText)).toEqual([ok, 'CB-07-0015']);
    const { taken } = await one<{ taken: number }>(
      'select count(*)::int as taken from invitations where org_id = $1',
      [org.id],
    );
    expect(taken).toBe(1);
  });

  it('is one seat when both invite the same address', async () => {
    const email = freshEmail();
    expect(await together(holdOrg, [inviting(first, email), inviting(second, email)])).toEqual([ok, ok]);
    const { taken } = await one<{ taken: number }>(
      'select count(*)::int as taken from invitations where org_id = $1',
      [org.id],
    );
    expect(taken).toBe(1);
    const links = (await takeMails(test)).filter(({ to }) => to === email);
    const codes = [];
    for (const { link } of links) {
      const token = new URLSearchParams(link?.hash.slice(1)).get('invitation') ?? '';
      codes.push(await codeOf(accepting(token)()));
    }
    expect(codes.toSorted(byText)).toEqual([ok, 'CB-07-0011']);
  });

  it('stays taken through an acceptance', async () => {
    const { token } = await invited(first, freshEmail());
    const codes = await together(
      async (tx) => {
        await holdOrg(tx);
        await holdInvitation(tx);
      },
      [inviting(second, freshEmail()), accepting(token)],
    );
    expect(codes).toEqual(['CB-07-0015', ok]);
  });
});

describe('an invitation', () => {
  it('is accepted once by two who have its link', async () => {
    const email = freshEmail();
    const { token } = await invited(first, email);
    const codes = await together(holdInvitation, [accepting(token), accepting(token)]);
    expect(codes.toSorted(byText)).toEqual([ok, 'CB-07-0011']);
    const [userId = '', ...more] = await peopleWith(email);
    expect(more).toEqual([]);
    expect(await membershipsOf(userId)).toEqual([{ role: 'operator', is_default: true, org_id: org.id }]);
  });

  it.each([0, 1])('is either accepted or revoked, never both (%i)', async (turn) => {
    const email = freshEmail();
    const { id, token } = await invited(first, email);
    const revoking = () => first.call(revokeInvitation, { query: { invitationId: id } });
    const calls = [accepting(token), revoking];
    const codes = await together(holdInvitation, turn ? calls.reverse() : calls);
    const [accepted, revoked] = turn ? codes.reverse() : codes;
    expect([
      [ok, 'CB-07-0012'],
      ['CB-07-0011', ok],
    ]).toContainEqual([accepted, revoked]);
    expect(await peopleWith(email)).toHaveLength(accepted === ok ? 1 : 0);
    const { status } = await one<{ status: string }>('select status from invitations where id = $1', [id]);
    expect(status).toBe(accepted === ok ? 'accepted' : 'revoked');
  });

  it('is renewed or accepted: the old link is never valid together with the new one', async () => {
    const email = freshEmail();
    const { token } = await invited(first, email);
    const codes = await together(holdInvitation, [accepting(token), inviting(second, email)]);
    const { status } = await one<{ status: string }>('select status from invitations where org_id = $1', [
      org.id,
    ]);
    if (codes[0] === ok) expect(status).toBe('accepted');
    else expect([codes[0], codes[1], status]).toEqual(['CB-07-0011', ok, 'pending']);
  });

  it('of two organisations makes one person, with one default', async () => {
    const email = freshEmail();
    const stranger = await signedInAs(test, 'superadmin', other);
    const tokens = [(await invited(first, email)).token, (await invited(stranger, email)).token];
    const codes = await together(
      (tx) => tx.query('select from invitations where email = $1 for update', [email]),
      tokens.map(accepting),
    );
    expect(codes).toEqual([ok, ok]);
    const [userId = '', ...more] = await peopleWith(email);
    expect(more).toEqual([]);
    const held = await membershipsOf(userId);
    expect(held.map(({ org_id }) => org_id)).toEqual([org.id, other.id]);
    expect(held.filter(({ is_default }) => is_default)).toHaveLength(1);
  });

  it("takes a person's last place once", async () => {
    const person = await signedInAs(test, 'user', operator);
    const email = await emailOf(test, person);
    await test.database.pool.query(
      `with made as (insert into organisations (code, name, country, parent_id)
         select 'place-' || $2 || '-' || n, 'Place ' || $2 || ' ' || n, 'DE', $4 from generate_series(1, $3::int) n
         returning id)
       insert into memberships (user_id, org_id, role) select $1, id, 'user' from made`,
      [person.userId, String(count), limits.organisationsPerPerson - 2, operator.id],
    );
    const stranger = await signedInAs(test, 'superadmin', other);
    const tokens = [(await invited(first, email)).token, (await invited(stranger, email)).token];
    const codes = await together(
      (tx) => tx.query('select from users where id = $1 for update', [person.userId]),
      tokens.map(accepting),
    );
    expect(codes.toSorted(byText)).toEqual([ok, 'CB-07-0023']);
    expect(await membershipsOf(person.userId)).toHaveLength(limits.organisationsPerPerson);
  });
});

describe('a permission that is lost while the request is in progress', () => {
  const losses: [string, string, ErrorCode][] = [
    ['removed', 'delete from memberships where org_id = $1 and user_id = $2', 'CB-07-0008'],
    [
      'disabled',
      'update memberships set disabled_at = now() where org_id = $1 and user_id = $2',
      'CB-07-0008',
    ],
    ['demoted', `update memberships set role = 'operator' where org_id = $1 and user_id = $2`, 'CB-00-0403'],
  ];

  it.each(losses)('(%s) is no longer a permission, whatever is requested', async (_loss, statement, code) => {
    const member = await signedInAs(test, 'user', org);
    const { id } = await invited(first, freshEmail());
    const { userId } = member;
    const key = 'sim' as const;
    const calls = [
      giving(second, member, 'admin'),
      removing(second, member),
      inviting(second, freshEmail()),
      () => second.call(revokeInvitation, { query: { invitationId: id } }),
      () => second.call(account.setOversight, { ...byUserId(member), body: { oversight: true } }),
      () => second.call(account.changeStatus, { ...byUserId(member), body: { status: 'disabled' } }),
      () => second.call(account.changePermission, { params: { userId, key }, body: { actions: [] } }),
    ];
    const before = await membershipsOf(userId);
    const codes = [];
    for (const call of calls) {
      codes.push(...(await together((tx) => tx.query(statement, [org.id, second.userId]), [call])));
      await test.database.pool.query(
        `insert into memberships (org_id, user_id, role) values ($1, $2, 'superadmin')
         on conflict (org_id, user_id) do update set role = excluded.role, disabled_at = null`,
        [org.id, second.userId],
      );
    }
    expect(codes).toEqual(calls.map(() => code));
    expect(await membershipsOf(userId)).toEqual(before);
    const { entries } = await one<{ entries: number }>(
      `select count(*)::int as entries from audit_entries where org_id = $1 and actor_id = $2
         and action not like 'session.%'`,
      [org.id, second.userId],
    );
    expect(entries).toBe(0);
  });

  it('does not let a former superadmin create a superadmin', async () => {
    const member = await signedInAs(test, 'user', org);
    const demoted = `update memberships set role = 'admin' where org_id = $1 and user_id = $2`;
    const codes = await together(
      (tx) => tx.query(demoted, [org.id, second.userId]),
      [
        giving(second, member, 'superadmin'),
        () => second.call(invite, { body: { email: freshEmail(), role: 'superadmin', language: 'en-US' } }),
      ],
    );
    expect(codes).toEqual(['CB-07-0019', 'CB-07-0019']);
  });
});

describe('two people who change accounts concurrently', () => {
  it('change a role one after the other, and each records the role that it found', async () => {
    const member = await signedInAs(test, 'user', org);
    const codes = await together(holdMemberships, [
      giving(first, member, 'operator'),
      giving(second, member, 'admin'),
    ]);
    expect(codes).toEqual([ok, ok]);
    const { rows } = await test.database.pool.query(
      `select before ->> 'role' as before, after ->> 'role' as after from audit_entries
       where org_id = $1 and subject_id = $2 and action = 'account.updated' order by number`,
      [org.id, member.userId],
    );
    expect(rows).toHaveLength(2);
    expect(rows[0].before).toBe('user');
    expect(rows[1].before).toBe(rows[0].after);
    expect((await membershipsOf(member.userId))[0]?.role).toBe(rows[1].after);
  });

  it('and remove each other leave one of them, without a deadlock', async () => {
    const admins = [await signedInAs(test, 'admin', org), await signedInAs(test, 'admin', org)] as const;
    const codes = await together(holdMemberships, [
      removing(admins[0], admins[1]),
      removing(admins[1], admins[0]),
    ]);
    expect(codes.toSorted(byText)).toEqual([ok, 'CB-07-0008']);
    const left = await Promise.all(admins.map(({ userId }) => membershipsOf(userId)));
    expect(left.map(({ length }) => length).sort()).toEqual([0, 1]);
  });

  it('and demote each other leave a superadmin', async () => {
    const codes = await together(holdMemberships, [
      giving(first, second, 'admin'),
      giving(second, first, 'user'),
    ]);
    expect(codes.filter((code) => code === ok)).toHaveLength(1);
    const { left } = await one<{ left: number }>(
      `select count(*)::int as left from memberships where org_id = $1 and role = 'superadmin'`,
      [org.id],
    );
    expect(left).toBe(1);
  });

  it('and remove a person from all organisations end the person’s sessions', async () => {
    const member = await signedInAs(test, 'user', org);
    const stranger = await signedInAs(test, 'admin', other);
    const membership = { userId: member.userId, orgId: other.id, role: 'user', oversight: false } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
    const codes = await together(
      (tx) => tx.query('select from memberships where user_id = $1 for update', [member.userId]),
      [removing(first, member), removing(stranger, member)],
    );
    expect(codes).toEqual([ok, ok]);
    expect(await membershipsOf(member.userId)).toEqual([]);
    const { open } = await one<{ open: number }>(
      'select count(*)::int as open from user_sessions where user_id = $1 and ended_at is null',
      [member.userId],
    );
    expect(open).toBe(0);
  });

  it('and remove a person who joins elsewhere make the new organisation the default', async () => {
    const member = await signedInAs(test, 'user', org);
    const email = await emailOf(test, member);
    const stranger = await signedInAs(test, 'admin', other);
    const { token } = await invited(stranger, email);
    const codes = await together(
      (tx) => tx.query('select from users where id = $1 for update', [member.userId]),
      [removing(first, member), accepting(token)],
    );
    expect(codes).toEqual([ok, ok]);
    expect(await membershipsOf(member.userId)).toEqual([
      { role: 'operator', is_default: true, org_id: other.id },
    ]);
    const body = { email, password: testPassword, agreement: true };
    const signedIn = await anonymous(test).call(endpoints.identity.signIn, { body });
    expect(signedIn.body.data.partnerCode).toBe(other.code);
  });
});
