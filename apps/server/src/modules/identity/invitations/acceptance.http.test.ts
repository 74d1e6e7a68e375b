import { endpoints, type Language, type Role } from '@simcube/contract';
import { afterAll, describe, expect, it } from 'vitest';
import {
  emailOf,
  expectFailure,
  freshEmail,
  invitationTokenFor,
  makeOtherCustomer,
  newPerson,
  testInvitations,
} from '../../../testing/accounts.ts';
import { anonymous, signedInAs, testPassword } from '../../../testing/app.ts';

const { invite, readInvitation, signIn, signInInvited } = endpoints.identity;
const { test, operator, org, admin, accept } = await testInvitations();

afterAll(() => test.close());

const invited = async (
  email: string,
  more: { role?: Role; language?: Language; oversight?: boolean } = {},
): Promise<{ id: string; token: string }> => {
  const answer = await admin.call(invite, {
    body: { email, role: 'operator', language: 'en-US', ...more },
  });
  expect(answer.http).toBe(200);
  return { id: answer.body.data.id, token: await invitationTokenFor(test, email) };
};

const membershipOf = async (email: string, orgId = org.id) =>
  (
    await test.database.pool.query(
      `select m.role, m.oversight, m.is_default from memberships m join users u on u.id = m.user_id
       where u.email = $1 and m.org_id = $2`,
      [email, orgId],
    )
  ).rows[0];

describe('accepting', () => {
  it('as a new person requires a name, a password and the agreement', async () => {
    const email = freshEmail();
    const { token } = await invited(email, { language: 'zh-CN', oversight: true });
    expectFailure(await accept(token, { person: newPerson, agreement: false }), 'CB-07-0005');
    const nobody = await accept(token, {});
    expectFailure(nobody, 'CB-00-0400');
    expect(nobody.body.status.detail?.issues).toEqual([
      expect.objectContaining({ path: 'person', key: 'required' }),
    ]);
    const weak = await accept(token, { person: { ...newPerson, password: 'weak' } });
    expect(weak.body.status.detail?.issues?.[0]?.path).toBe('person.password');
    const { http, body } = await accept(token);
    expect(http).toBe(200);
    expect(body.data).toEqual({ email, code: 'northwind', organisation: 'northwind Limited' });
    expect(await membershipOf(email)).toEqual({ role: 'operator', oversight: true, is_default: true });
    const signedIn = await anonymous(test).call(signIn, {
      body: { email, password: newPerson.password, agreement: true },
    });
    expect(signedIn.body.data).toMatchObject({ username: 'Ana Li', lang: 'zh-CN', partnerCode: 'northwind' });
    expectFailure(await accept(token), 'CB-07-0011');
  });

  it('as a known person leaves name and password unchanged, whatever is sent', async () => {
    const elsewhere = await makeOtherCustomer(test, operator);
    const person = await signedInAs(test, 'user', elsewhere);
    const email = await emailOf(test, person);
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

  it('with the existing password signs in first, and then accepts', async () => {
    const elsewhere = await makeOtherCustomer(test, operator);
    const email = await emailOf(test, await signedInAs(test, 'user', elsewhere));
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

  it('as an unknown person requires a name: a password alone does not sign in', async () => {
    const { token } = await invited(freshEmail());
    const body = { token, password: testPassword, agreement: true };
    expectFailure(await anonymous(test).call(signInInvited, { body }), 'CB-07-0001');
  });

  it('is rejected for a person with the maximum number of organisations', async () => {
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

  it('by a person who became a member meanwhile leaves the account unchanged', async () => {
    const email = freshEmail();
    const { token } = await invited(email, { role: 'user' });
    const person = { email, password: testPassword, firstName: 'A', lastName: 'B', locale: 'en-US' };
    const userId = await test.wiring.identity.createUser(test.database.pool, person);
    const membership = { userId, orgId: org.id, role: 'admin', oversight: false } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
    expect((await accept(token)).http).toBe(200);
    expect(await membershipOf(email)).toMatchObject({ role: 'admin' });
  });

  it('is recorded in the audit trail under the name of the accepting person', async () => {
    const email = freshEmail();
    await accept((await invited(email)).token);
    const { rows } = await test.database.pool.query(
      `select action, actor_name, subject_name, org_id from audit_entries where subject_name = $1 order by number`,
      [email],
    );
    expect(rows).toEqual([
      { action: 'invitation.sent', actor_name: 'admin Tester', subject_name: email, org_id: org.id },
      { action: 'invitation.accepted', actor_name: 'Ana Li', subject_name: email, org_id: org.id },
    ]);
  });
});
