import {
  type Envelope,
  type ErrorCode,
  endpoints,
  errors,
  type Language,
  type Role,
} from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

type Org = Awaited<ReturnType<typeof makeOrganisation>>;

let test: TestApp;
let operator: Org;
let org: Org;
let admin: TestClient;
let superadmin: TestClient;
let addresses = 0;
const { acceptInvitation, invite, readInvitation, revokeInvitation, signIn, signInInvited } =
  endpoints.identity;
const dayMs = 86_400_000;
const newcomer = { first_name: 'Ana', last_name: 'Li', password: 'own-Pass1!' };

beforeAll(async () => {
  test = await testApp();
  operator = await makeOrganisation(test, { code: 'the-operator' });
  org = await makeOrganisation(test, { code: 'northwind', parentCode: operator.code });
  admin = await signedInAs(test, 'admin', org);
  superadmin = await signedInAs(test, 'superadmin', org);
});

afterAll(() => test.close());

const freshEmail = (): string => {
  addresses += 1;
  return `guest-${addresses}@example.test`;
};

const expectFailure = (answer: { http: number; body: Envelope<unknown> }, code: ErrorCode) => {
  expect([answer.http, answer.body.status.code]).toEqual([errors[code].http, code]);
};

const wish = (email: string, more: { role?: Role; language?: Language; oversight?: boolean } = {}) => ({
  body: { email, role: 'operator', language: 'en-US', ...more } as const,
});

/** The token of the newest mail to the address. */
const tokenFor = async (email: string): Promise<string> => {
  const mail = (await takeMails(test)).findLast(({ to }) => to === email);
  return new URLSearchParams(mail?.link?.hash.slice(1)).get('invitation') ?? `no mail to ${email}`;
};

const invited = async (
  email: string,
  more: Parameters<typeof wish>[1] = {},
): Promise<{ id: string; token: string }> => {
  const answer = await superadmin.call(invite, wish(email, more));
  expect(answer.http).toBe(200);
  return { id: answer.body.data.id, token: await tokenFor(email) };
};

const accept = (token: string, more: object = { person: newcomer }) =>
  anonymous(test).call(acceptInvitation, { body: { token, agreement: true, ...more } });

const membershipOf = async (email: string, orgId = org.id) =>
  (
    await test.database.pool.query(
      `select m.role, m.oversight, m.is_default from memberships m join users u on u.id = m.user_id
       where u.email = $1 and m.org_id = $2`,
      [email, orgId],
    )
  ).rows[0];

const emailOf = async ({ userId }: TestClient): Promise<string> =>
  (await test.database.pool.query('select email from users where id = $1', [userId])).rows[0].email;

const seatsTaken = async (): Promise<number> =>
  (
    await test.database.pool.query(
      `select (select count(*)::int from memberships where org_id = $1)
         + (select count(*)::int from invitations where org_id = $1 and status = 'pending') as seats`,
      [org.id],
    )
  ).rows[0].seats;

describe('an invitation', () => {
  it('is mailed in the language of its receiver, with a link that no server sees', async () => {
    const email = freshEmail();
    await admin.call(invite, wish(email, { language: 'es-ES' }));
    const mail = (await takeMails(test)).findLast(({ to }) => to === email);
    expect(mail?.link?.pathname).toBe('/es-ES/login');
    expect(mail?.link?.search).toBe('');
    expect(mail?.link?.hash).toMatch(/^#invitation=sci_[\w-]{43}$/);
    expect(mail?.text).toContain('northwind Limited');
    expect(mail?.text).toContain('admin Tester');
  });

  it('is stored without its token, nor is the token in the audit trail', async () => {
    const { token } = await invited(freshEmail());
    for (const table of ['invitations', 'audit_entries', 'outbox']) {
      const { rows } = await test.database.pool.query(`select to_jsonb(t)::text as text from ${table} t`);
      expect(rows.map((row) => row.text).join()).not.toContain(token);
    }
  });

  it('tells its holder what it is to', async () => {
    const email = freshEmail();
    const { token } = await invited(email, { role: 'user', language: 'zh-TW' });
    const { http, body } = await anonymous(test).call(readInvitation, { body: { token } });
    expect(http).toBe(200);
    expect(body.data).toEqual({
      email,
      organisation: 'northwind Limited',
      inviter: 'superadmin Tester',
      role: 'user',
      language: 'zh-TW',
      expires_at: '2026-11-28T12:00:00.000Z',
      known: false,
      first_name: '',
      last_name: '',
    });
  });

  it('of no such token is not valid, whatever the token looks like', async () => {
    for (const token of [`sci_${'A'.repeat(43)}`, 'x'.repeat(100), "' or true; -- 12345678"]) {
      expectFailure(await anonymous(test).call(readInvitation, { body: { token } }), 'CB-07-0011');
      expectFailure(await accept(token), 'CB-07-0011');
      const body = { token, password: testPassword, agreement: true };
      expectFailure(await anonymous(test).call(signInInvited, { body }), 'CB-07-0011');
    }
  });

  it('sent again has a new link, the old one is void, and it takes no second seat', async () => {
    const email = freshEmail();
    const first = await invited(email);
    const seats = await seatsTaken();
    const again = await superadmin.call(invite, wish(email.toUpperCase(), { role: 'user' }));
    expect(again.body.data.id).toBe(first.id);
    const token = await tokenFor(email);
    expect(await seatsTaken()).toBe(seats);
    expectFailure(await accept(first.token), 'CB-07-0011');
    const { body } = await anonymous(test).call(readInvitation, { body: { token } });
    expect(body.data).toMatchObject({ role: 'user', email });
  });

  it('is over after seven days: it counts for nothing, and may be sent anew', async () => {
    const email = freshEmail();
    const { id, token } = await invited(email);
    test.clock.advance(7 * dayMs - 1);
    expect((await anonymous(test).call(readInvitation, { body: { token } })).http).toBe(200);
    test.clock.advance(1);
    const late = await signedInAs(test, 'admin', org);
    expectFailure(await anonymous(test).call(readInvitation, { body: { token } }), 'CB-07-0011');
    expectFailure(await accept(token), 'CB-07-0011');
    expectFailure(await late.call(revokeInvitation, { query: { invitationId: id } }), 'CB-07-0012');
    const { body } = await late.call(endpoints.account.list, {
      params: { partnerCode: org.code },
      query: { search: email },
    });
    expect(body.total_count).toBe(0);
    expect((await late.call(invite, wish(email))).http).toBe(200);
    expect((await accept(await tokenFor(email))).http).toBe(200);
    [admin, superadmin] = [await signedInAs(test, 'admin', org), await signedInAs(test, 'superadmin', org)];
  });

  it('is revoked: its link is void, its seat is free, and it can be revoked once', async () => {
    const { id, token } = await invited(freshEmail());
    const seats = await seatsTaken();
    expect((await admin.call(revokeInvitation, { query: { invitationId: id } })).http).toBe(200);
    expect(await seatsTaken()).toBe(seats - 1);
    expectFailure(await accept(token), 'CB-07-0011');
    expectFailure(await admin.call(revokeInvitation, { query: { invitationId: id } }), 'CB-07-0012');
  });

  it('of another organisation, or of none, is not found', async () => {
    const other = await makeOrganisation(test, { code: 'other-one', parentCode: operator.code });
    const stranger = await signedInAs(test, 'superadmin', other);
    const { id } = await invited(freshEmail());
    for (const invitationId of [id, '00000000-0000-4000-8000-000000000000']) {
      expectFailure(await stranger.call(revokeInvitation, { query: { invitationId } }), 'CB-00-0404');
    }
    expect((await admin.call(revokeInvitation, { query: { invitationId: id } })).http).toBe(200);
  });

  it('to a member is refused, and so is a role above the own one', async () => {
    expectFailure(await admin.call(invite, wish(await emailOf(superadmin))), 'CB-07-0017');
    expectFailure(await admin.call(invite, wish(freshEmail(), { role: 'superadmin' })), 'CB-07-0019');
    for (const role of ['user', 'operator'] as const) {
      const member = await signedInAs(test, role, org);
      expectFailure(await member.call(invite, wish(freshEmail())), 'CB-00-0403');
    }
  });

  it("to be a superadmin is neither renewed nor revoked by an admin, but by the superadmin's like", async () => {
    const email = freshEmail();
    const { id } = await invited(email, { role: 'superadmin' });
    expectFailure(await admin.call(invite, wish(email, { role: 'user' })), 'CB-07-0018');
    expectFailure(await admin.call(revokeInvitation, { query: { invitationId: id } }), 'CB-07-0018');
    expect((await superadmin.call(revokeInvitation, { query: { invitationId: id } })).http).toBe(200);
  });

  it('takes no more than its fields', async () => {
    const email = freshEmail();
    const extra = { status: 'accepted', org_id: operator.id, token_hash: 'x', invited_by: admin.userId };
    const body = { ...wish(email).body, ...extra, expires_at: '2099-01-01T00:00:00Z' };
    expect((await admin.call(invite, {}, { raw: { body } })).http).toBe(200);
    const { rows } = await test.database.pool.query('select * from invitations where email = $1', [email]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ status: 'pending', org_id: org.id });
    expect(rows[0].expires_at.getTime() - test.clock.now().getTime()).toBe(7 * dayMs);
  });
});

describe('accepting', () => {
  it('as a new person wants a name and a password, and the agreement', async () => {
    const email = freshEmail();
    const { token } = await invited(email, { language: 'zh-CN', oversight: true });
    expectFailure(await accept(token, { person: newcomer, agreement: false }), 'CB-07-0005');
    const nobody = await accept(token, {});
    expectFailure(nobody, 'CB-00-0400');
    expect(nobody.body.status.detail?.issues).toEqual([
      expect.objectContaining({ path: 'person', key: 'required' }),
    ]);
    const weak = await accept(token, { person: { ...newcomer, password: 'weak' } });
    expect(weak.body.status.detail?.issues?.[0]?.path).toBe('person.password');
    const { http, body } = await accept(token);
    expect(http).toBe(200);
    expect(body.data).toEqual({ email, code: 'northwind', organisation: 'northwind Limited' });
    expect(await membershipOf(email)).toEqual({ role: 'operator', oversight: true, is_default: true });
    const signedIn = await anonymous(test).call(signIn, {
      body: { email, password: newcomer.password, agreement: true },
    });
    expect(signedIn.body.data).toMatchObject({ username: 'Ana Li', lang: 'zh-CN', partnerCode: 'northwind' });
    expectFailure(await accept(token), 'CB-07-0011');
  });

  it('as somebody known leaves name and password alone, whatever is sent', async () => {
    const elsewhere = await makeOrganisation(test, {
      code: `elsewhere-${addresses}`,
      parentCode: operator.code,
    });
    const person = await signedInAs(test, 'user', elsewhere);
    const email = await emailOf(person);
    const { token } = await invited(email, { role: 'admin' });
    const read = await anonymous(test).call(readInvitation, { body: { token } });
    expect(read.body.data).toMatchObject({ known: true, first_name: 'user', last_name: 'Tester' });
    expect((await accept(token)).http).toBe(200);
    expect(await membershipOf(email)).toEqual({ role: 'admin', oversight: false, is_default: false });
    const body = { email, password: testPassword, agreement: true };
    const signedIn = await anonymous(test).call(signIn, { body });
    expect(signedIn.body.data).toMatchObject({ username: 'user Tester', partnerCode: elsewhere.code });
    expect(signedIn.body.data.rolesInfo).toHaveLength(2);
  });

  it('with the password one has signs in at once, and only then accepts', async () => {
    const elsewhere = await makeOrganisation(test, { code: `also-${addresses}`, parentCode: operator.code });
    const email = await emailOf(await signedInAs(test, 'user', elsewhere));
    const { token } = await invited(email);
    const attempt = (body: object) =>
      anonymous(test).call(signInInvited, {
        body: { token, password: testPassword, agreement: true, ...body },
      });
    expectFailure(await attempt({ password: '' }), 'CB-07-0003');
    expectFailure(await attempt({ agreement: false }), 'CB-07-0005');
    expectFailure(await attempt({ password: 'wrong-1!' }), 'CB-07-0001');
    expect(await membershipOf(email)).toBeUndefined();
    const { http, body } = await attempt({});
    expect(http).toBe(200);
    expect(body.data.token).toMatch(/^scs_/);
    expect(body.data.rolesInfo.map(({ code }) => code)).toContain('northwind');
    expectFailure(await attempt({}), 'CB-07-0011');
  });

  it('by somebody unknown needs a person: a password alone does not sign in', async () => {
    const { token } = await invited(freshEmail());
    const body = { token, password: testPassword, agreement: true };
    expectFailure(await anonymous(test).call(signInInvited, { body }), 'CB-07-0001');
  });

  it('is refused to who belongs to as many organisations as anybody may', async () => {
    const email = freshEmail();
    const { token } = await invited(email);
    const userId = await test.wiring.identity.createUser(test.database.pool, {
      email,
      password: testPassword,
      firstName: 'A',
      lastName: 'B',
      locale: 'en-US',
    });
    await test.database.pool.query(
      `with made as (insert into organisations (code, name, country, parent_id)
         select 'many-' || n, 'Many ' || n, 'DE', $2 from generate_series(1, 50) n returning id)
       insert into memberships (user_id, org_id, role) select $1, id, 'user' from made`,
      [userId, operator.id],
    );
    expectFailure(await accept(token), 'CB-07-0023');
    expect(await membershipOf(email)).toBeUndefined();
  });

  it('of somebody who became a member meanwhile keeps the account as it is', async () => {
    const email = freshEmail();
    const { token } = await invited(email, { role: 'user' });
    const person = { email, password: testPassword, firstName: 'A', lastName: 'B', locale: 'en-US' };
    const userId = await test.wiring.identity.createUser(test.database.pool, person);
    const membership = { userId, orgId: org.id, role: 'admin', oversight: false } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
    expect((await accept(token)).http).toBe(200);
    expect(await membershipOf(email)).toMatchObject({ role: 'admin' });
  });

  it('is told in the trail under the name of who accepted', async () => {
    const email = freshEmail();
    await accept((await invited(email)).token);
    const { rows } = await test.database.pool.query(
      `select action, actor_name, subject_name, org_id from audit_entries where subject_name = $1 order by number`,
      [email],
    );
    expect(rows).toEqual([
      { action: 'invitation.sent', actor_name: 'superadmin Tester', subject_name: email, org_id: org.id },
      { action: 'invitation.accepted', actor_name: 'Ana Li', subject_name: email, org_id: org.id },
    ]);
  });
});

const peopleWith = async (email: string): Promise<number> =>
  (await test.database.pool.query('select 1 from users where email = $1', [email])).rowCount ?? 0;

describe('an account created with a first password', () => {
  const create = (email: string, more: object = {}) =>
    admin.call(endpoints.account.create, {
      body: {
        email,
        role: 'user',
        locale: 'en-US',
        first_name: 'Given',
        last_name: 'Name',
        password: 'first-Pa1!',
        ...more,
      },
    });
  const signInAs = (email: string, password: string) =>
    anonymous(test).call(signIn, { body: { email, password, agreement: true } });

  it('makes the person when the mail arrived, not before', async () => {
    const email = freshEmail();
    expect((await create(email)).http).toBe(200);
    expectFailure(await signInAs(email, 'first-Pa1!'), 'CB-07-0009');
    expect(await peopleWith(email)).toBe(0);
    const token = await tokenFor(email);
    const read = await anonymous(test).call(readInvitation, { body: { token } });
    expect(read.body.data).toMatchObject({ known: true, first_name: 'Given', last_name: 'Name' });
    const body = { token, password: 'first-Pa1!', agreement: true };
    const wrong = await anonymous(test).call(signInInvited, { body: { ...body, password: 'wrong-1!' } });
    expectFailure(wrong, 'CB-07-0001');
    expectFailure(await signInAs(email, 'first-Pa1!'), 'CB-07-0009');
    expect((await anonymous(test).call(signInInvited, { body })).body.data).toMatchObject({
      username: 'Given Name',
      loginsCount: 1,
    });
    const { rows } = await test.database.pool.query(
      'select password_hash from invitations where email = $1',
      [email],
    );
    expect(rows).toEqual([{ password_hash: null }]);
  });

  it('is accepted with it, or with a password of the own choice', async () => {
    const [kept, changed] = [freshEmail(), freshEmail()];
    await create(kept);
    expect((await accept(await tokenFor(kept), {})).http).toBe(200);
    expect((await signInAs(kept, 'first-Pa1!')).body.data.username).toBe('Given Name');
    await create(changed);
    await accept(await tokenFor(changed));
    expectFailure(await signInAs(changed, 'first-Pa1!'), 'CB-07-0001');
    expect((await signInAs(changed, newcomer.password)).body.data.username).toBe('Ana Li');
  });

  it('never changes the password or name of somebody known', async () => {
    const elsewhere = await makeOrganisation(test, { code: `known-${addresses}`, parentCode: operator.code });
    const email = await emailOf(await signedInAs(test, 'user', elsewhere));
    await create(email);
    const token = await tokenFor(email);
    const body = { token, password: 'first-Pa1!', agreement: true };
    expectFailure(await anonymous(test).call(signInInvited, { body }), 'CB-07-0001');
    await accept(token, {});
    expectFailure(await signInAs(email, 'first-Pa1!'), 'CB-07-0001');
    expect((await signInAs(email, testPassword)).body.data.username).toBe('user Tester');
  });

  it('sent again by invitation keeps it; created again without one loses it', async () => {
    const email = freshEmail();
    await create(email);
    await admin.call(invite, wish(email));
    const hashOf = async () =>
      (await test.database.pool.query('select password_hash from invitations where email = $1', [email]))
        .rows[0].password_hash;
    expect(await hashOf()).toMatch(/^\$argon2id/);
    await create(email, { password: undefined });
    expect(await hashOf()).toBeNull();
  });
});

describe('whether somebody has an address', () => {
  it('shows neither in the answer to an invitation nor in the account that comes of it', async () => {
    const elsewhere = await makeOrganisation(test, {
      code: `secret-${addresses}`,
      parentCode: operator.code,
    });
    const known = await emailOf(await signedInAs(test, 'user', elsewhere));
    const shapes = [];
    for (const email of [known, freshEmail()]) {
      for (const password of [undefined, 'first-Pa1!']) {
        const names = { first_name: 'Given', last_name: 'Name' };
        const body = {
          email,
          role: 'user',
          locale: 'en-US',
          ...names,
          ...(password && { password }),
        } as const;
        const created = await admin.call(endpoints.account.create, { body });
        const sent = await admin.call(invite, wish(email));
        const { id } = sent.body.data;
        const list = await admin.call(endpoints.account.list, {
          params: { partnerCode: org.code },
          query: { search: email },
        });
        const one = await admin.call(endpoints.account.get, {
          params: { partnerCode: org.code, userId: id },
        });
        const text = JSON.stringify(
          [created, sent, list, one].map(({ http, body: envelope }) => [http, envelope]),
        );
        shapes.push(
          text
            .replaceAll(email, 'ADDRESS')
            .replaceAll(id, 'ID')
            .replaceAll(/"trace_id":"[^"]+"/g, ''),
        );
        expect(created.body.data.id).toBe(id);
      }
    }
    expect(new Set(shapes).size).toBe(1);
  });
});
