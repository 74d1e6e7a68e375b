import { Readable } from 'node:stream';
import { limits } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction, type Sql } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { waitForBlockedStatements } from '../../../testing/locks.ts';
import {
  actorOf,
  callerIn,
  callerOf,
  insertTestMembership,
  insertTestOrganisation,
  insertTestPerson,
  type TestOrganisation,
} from '../../../testing/organisations.ts';
import { hasUnbilledCharges } from '../../finance/index.ts';
import { importSims } from '../../sim/index.ts';
import { takeMembershipSlot, takeSeat } from '../memberships/seats.service.ts';
import { createEnterprises } from './enterprise.service.ts';
import { createEnterpriseEdits } from './enterprise-edit.service.ts';
import { createEnterpriseRemoval } from './enterprise-removal.service.ts';

/** Concurrent changes on a real database: each is a race that one of them must lose. */

let database: Database;
let operator: TestOrganisation;
let enterprises: ReturnType<typeof createEnterprises>;
let removal: ReturnType<typeof createEnterpriseRemoval>;
let edits: ReturnType<typeof createEnterpriseEdits>;
const clock = new FixedClock('2026-11-21T12:00:00Z');
const now = clock.now();

type Caller = Awaited<ReturnType<typeof callerIn>>;

beforeAll(async () => {
  database = await testDatabase({ max: 16 });
  const deps = { pool: database.pool, clock, hasUnbilledCharges };
  enterprises = createEnterprises(deps);
  removal = createEnterpriseRemoval(deps);
  edits = createEnterpriseEdits(deps);
});

afterAll(() => database.close());

beforeEach(async () => {
  operator = await insertTestOrganisation(database.pool);
});

const create = (caller: Caller, name: string) =>
  enterprises.create(caller, {
    actor: actorOf(caller.person, 'organisation.created'),
    body: { name, country: 'DE', sms_quota: { kind: 'inherit' } },
  });

const remove = (caller: Caller, code: string) =>
  removal.remove(caller, { actor: actorOf(caller.person, 'organisation.deleted'), code });

/** The codes of refused calls, and the number of the others. */
const outcome = async (calls: readonly Promise<unknown>[]) => {
  const settled = await Promise.allSettled(calls);
  return {
    done: settled.filter(({ status }) => status === 'fulfilled').length,
    refused: settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code ?? one.reason] : [])),
  };
};

const count = async (sql: string, values: readonly unknown[]) =>
  (await database.pool.query<{ n: number }>(`select count(*)::int as n from ${sql}`, [...values])).rows[0]?.n;

const invite = (org: TestOrganisation, email: string, expiresAt = '2026-11-28') =>
  database.pool.query(
    `insert into invitations (org_id, email, locale, role, token_hash, expires_at)
     values ($1, $2, 'en-US', 'user', sha256($2::text::bytea), $3)`,
    [org.id, email, expiresAt],
  );

describe('the last seat', () => {
  it('goes to one of many concurrent requests', async () => {
    const org = await insertTestOrganisation(database.pool, { seats: 4 });
    await callerIn(database.pool, org, 'admin');
    await invite(org, 'open@example.test');
    await invite(org, 'past@example.test', '2026-11-20');
    const people = await Promise.all(Array.from({ length: 8 }, () => insertTestPerson(database.pool)));
    const { done, refused } = await outcome(
      people.map((person) =>
        inTransaction(database.pool, async (tx) => {
          await takeSeat(tx, { orgId: org.id, now });
          await insertTestMembership(tx, { person, org, role: 'user' });
        }),
      ),
    );
    expect(done).toBe(2);
    expect(new Set(refused)).toEqual(new Set(['CB-07-0015']));
    expect(await count('memberships where org_id = $1', [org.id])).toBe(3);
  });

  it('does not exist in a deleted organisation', async () => {
    const taken = inTransaction(database.pool, (tx) => takeSeat(tx, { orgId: 987_654_321, now }));
    await expect(taken).rejects.toMatchObject({ code: 'CB-07-0029' });
  });
});

it('the last membership that a person may have goes to one of two organisations', async () => {
  const person = await insertTestPerson(database.pool);
  for (let i = 1; i < limits.organisationsPerPerson; i += 1) {
    await insertTestMembership(database.pool, {
      person,
      org: await insertTestOrganisation(database.pool),
      role: 'user',
    });
  }
  const [first, second] = [
    await insertTestOrganisation(database.pool),
    await insertTestOrganisation(database.pool),
  ];
  const enter = (tx: Sql, org: TestOrganisation) =>
    takeMembershipSlot(tx, person.userId).then(() => insertTestMembership(tx, { person, org, role: 'user' }));
  let late: Promise<unknown> | undefined;
  await inTransaction(database.pool, async (tx) => {
    await enter(tx, first);
    late = inTransaction(database.pool, (other) => enter(other, second)).catch((error: unknown) => error);
    await waitForBlockedStatements(database.pool);
  });
  expect(await late).toMatchObject({ code: 'CB-07-0023' });
});

describe('creation', () => {
  it('of the last sub-organisation succeeds for one of two admins', async () => {
    const parent = await insertTestOrganisation(database.pool, {
      parentId: operator.id,
      subOrganisations: 2,
    });
    await insertTestOrganisation(database.pool, { parentId: parent.id });
    const callers = [
      await callerIn(database.pool, parent, 'admin'),
      await callerIn(database.pool, parent, 'admin'),
    ];
    const { done, refused } = await outcome(callers.map((caller, i) => create(caller, `Branch number ${i}`)));
    expect([done, refused]).toEqual([1, ['CB-07-0016']]);
    expect(await count('organisations where parent_id = $1', [parent.id])).toBe(2);
  });

  it('with one name succeeds for one of many concurrent requests, regardless of case', async () => {
    const parent = await insertTestOrganisation(database.pool, { parentId: operator.id });
    const callers = await Promise.all(
      Array.from({ length: 5 }, () => callerIn(database.pool, parent, 'admin')),
    );
    const { done, refused } = await outcome(
      callers.map((caller, i) => create(caller, i % 2 ? 'Northwind North' : 'NORTHWIND NORTH')),
    );
    expect(done).toBe(1);
    expect(refused).toEqual(Array(4).fill('CB-07-0135'));
  });

  it('with the same name below different parents gives different codes', async () => {
    const callers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const parent = await insertTestOrganisation(database.pool, { parentId: operator.id });
        return callerIn(database.pool, parent, 'admin');
      }),
    );
    const made = await Promise.all(callers.map((caller) => create(caller, 'Southern Branch')));
    const codes = made.map(({ code }) => code);
    expect(new Set(codes).size).toBe(6);
    expect(codes).toContain('SOUTHERN-BRANCH');
    for (const code of codes) expect(code).toMatch(/^SOUTHERN-BRANCH(-[2-9A-Z]{4})?$/);
  });

  it('and a rename to the same name exclude each other', async () => {
    const parent = await insertTestOrganisation(database.pool, { parentId: operator.id });
    const branch = await insertTestOrganisation(database.pool, { parentId: parent.id });
    const [one, two] = [
      await callerIn(database.pool, parent, 'admin'),
      await callerIn(database.pool, parent, 'admin'),
    ];
    const { done, refused } = await outcome([
      create(one, 'Eastern Branch'),
      edits.update(two, {
        actor: actorOf(two.person, 'organisation.updated'),
        edit: { code: branch.code, name: 'eastern branch' },
      }),
    ]);
    expect([done, refused]).toEqual([1, ['CB-07-0135']]);
  });

  it('by an admin who is removed meanwhile fails', async () => {
    const parent = await insertTestOrganisation(database.pool, { parentId: operator.id });
    const caller = await callerIn(database.pool, parent, 'admin');
    let creation: Promise<unknown> | undefined;
    await inTransaction(database.pool, async (tx) => {
      await tx.query('delete from memberships where user_id = $1', [caller.userId]);
      creation = create(caller, 'Never made').catch((error: unknown) => error);
      await waitForBlockedStatements(database.pool);
    });
    expect(await creation).toMatchObject({ code: 'CB-07-0008' });
    expect(await count('organisations where parent_id = $1', [parent.id])).toBe(0);
  });
});

describe('deletion', () => {
  let boss: Caller;
  let parent: TestOrganisation;
  let branch: TestOrganisation;

  beforeEach(async () => {
    parent = await insertTestOrganisation(database.pool, { parentId: operator.id });
    branch = await insertTestOrganisation(database.pool, { parentId: parent.id });
    boss = await callerIn(database.pool, parent, 'admin');
  });

  const exists = async () => (await count('organisations where id = $1', [branch.id])) === 1;

  /** A write in progress when the deletion starts; the deletion must wait for it, and then see it. */
  const whileWriting = async (write: (tx: Sql) => Promise<unknown>) => {
    let deletion: Promise<unknown> | undefined;
    await inTransaction(database.pool, async (tx) => {
      await write(tx);
      deletion = remove(boss, branch.code).catch((error: unknown) => error);
      await waitForBlockedStatements(database.pool);
    });
    return deletion;
  };

  it.each<[string, (tx: Sql) => Promise<unknown>]>([
    ['a SIM', (tx) => makeSim(tx, branch.id, {})],
    ['a sub-organisation', (tx) => insertTestOrganisation(tx, { parentId: branch.id })],
    [
      'a task',
      (tx) =>
        tx.query(
          `insert into tasks (org_id, user_id, type, quantity, started_at, moved_at)
           values ($1, $2, 'sim.suspend', 1, now(), now())`,
          [branch.id, boss.userId],
        ),
    ],
  ])('sees %s that is being written', async (_name, write) => {
    expect(await whileWriting(write)).toMatchObject({ code: 'CB-07-0132' });
    expect(await exists()).toBe(true);
  });

  it('leaves no organisation that a SIM could be assigned to', async () => {
    let refused: Promise<unknown> | undefined;
    await inTransaction(database.pool, async (tx) => {
      await tx.query('delete from organisations where id = $1', [branch.id]);
      refused = makeSim(database.pool, branch.id, {}).catch((error: unknown) => error);
      await waitForBlockedStatements(database.pool);
    });
    expect(await refused).toMatchObject({ code: '23503' });
  });

  it('and an import of SIMs exclude each other, in either order', async () => {
    for (let round = 0; round < 10; round += 1) {
      const target = await insertTestOrganisation(database.pool, { parentId: parent.id });
      const identity = `${round}`.padStart(4, '0');
      const line = `8986555000000${identity}00,262557770${identity},${target.code}\n`;
      const file = Readable.from([Buffer.from(`iccid,imsi,organisation_code\n${line}`)]);
      const calls = [
        () => importSims({ pool: database.pool, clock, file, onRefused: () => undefined }),
        () => remove(boss, target.code).catch((error: unknown) => error),
      ];
      if (round % 2) calls.reverse();
      const results = await Promise.all(calls.map((call) => call()));
      const sims = await count('sims where org_id = $1', [target.id]);
      const there = await count('organisations where id = $1', [target.id]);
      expect(results).toContainEqual(sims ? expect.objectContaining({ code: 'CB-07-0132' }) : undefined);
      expect(results).toContainEqual(expect.objectContaining({ accepted: sims, refused: 1 - (sims ?? 0) }));
      expect(there).toBe(sims);
    }
  });

  it('and the creation of a sub-organisation exclude each other, in either order', async () => {
    for (let round = 0; round < 12; round += 1) {
      const target = await insertTestOrganisation(database.pool, { parentId: parent.id });
      const local = await callerIn(database.pool, target, 'admin');
      const calls = [() => create(local, `Part of round ${round}`), () => remove(boss, target.code)];
      if (round % 2) calls.reverse();
      const { done, refused } = await outcome(calls.map((call) => call()));
      expect(done).toBe(1);
      const [code] = refused;
      expect(['CB-07-0132', 'CB-07-0008', 'CB-07-0029']).toContain(code);
      const children = await count('organisations where parent_id = $1', [target.id]);
      const there = await count('organisations where id = $1', [target.id]);
      expect([there, children]).toEqual(code === 'CB-07-0132' ? [1, 1] : [0, 0]);
    }
  });

  it('by two concurrent requests happens once', async () => {
    const other = await callerIn(database.pool, parent, 'admin');
    const { done, refused } = await outcome([remove(boss, branch.code), remove(other, branch.code)]);
    expect([done, refused]).toEqual([1, ['CB-07-0029']]);
    expect(
      await count(`audit_entries where org_id = $1 and action = 'organisation.deleted'`, [parent.id]),
    ).toBe(1);
  });

  it('of organisations with the same people, by these people, does not deadlock', async () => {
    const second = await callerIn(database.pool, parent, 'admin');
    const targets = await Promise.all(
      Array.from({ length: 6 }, () => insertTestOrganisation(database.pool, { parentId: parent.id })),
    );
    for (const org of targets) {
      await insertTestMembership(database.pool, { person: boss.person, org, role: 'admin' });
      await insertTestMembership(database.pool, { person: second.person, org, role: 'admin' });
    }
    const { done, refused } = await outcome(targets.map((org, i) => remove(i % 2 ? boss : second, org.code)));
    expect(refused).toEqual([]);
    expect(done).toBe(6);
  });
});

it('concurrent choices of a default organisation leave exactly one', async () => {
  const person = await insertTestPerson(database.pool);
  const orgs = await Promise.all(Array.from({ length: 4 }, () => insertTestOrganisation(database.pool)));
  for (const org of orgs) await insertTestMembership(database.pool, { person, org, role: 'user' });
  const actor = actorOf(person, 'organisation.default-chosen');
  const { refused } = await outcome(
    [...orgs, ...orgs].map((org) => enterprises.chooseDefault(person.userId, { actor, orgId: org.id })),
  );
  expect(refused).toEqual([]);
  expect(await count('memberships where user_id = $1 and is_default', [person.userId])).toBe(1);
});

it('an account created with an outdated role of its creator gets what the current role allows', async () => {
  const parent = await insertTestOrganisation(database.pool, { parentId: operator.id });
  const person = await insertTestPerson(database.pool);
  await insertTestMembership(database.pool, { person, org: parent, role: 'operator' });
  await expect(create(callerOf(person, parent, 'admin'), 'Never made')).rejects.toMatchObject({
    code: 'CB-07-0134',
  });
});
