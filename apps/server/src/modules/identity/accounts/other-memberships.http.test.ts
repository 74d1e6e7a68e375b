import { endpoints } from '@simcube/contract';
import type { Account } from '@simcube/contract/account';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  accountIn,
  actingIn,
  addMember,
  byUserId,
  emailOf,
  everyChangeOf,
  expectFailure,
  makeOtherCustomer,
  makeStaffedOrganisation,
  type Org,
  testOperator,
} from '../../../testing/accounts.ts';
import {
  anonymous,
  clientOf,
  makeOrganisation,
  signedInAs,
  type TestClient,
  testPassword,
} from '../../../testing/app.ts';
import { takeMails } from '../../../testing/mail.ts';

/**
 * A person who belongs to several organisations: what belongs to the person can't be changed by an admin of
 * only one.
 */

const { account } = endpoints;
const { test, operator } = await testOperator();
let org: Org;
let below: Org;
let third: Org;
let admin: TestClient;
let superadmin: TestClient;
let member: TestClient;
/** Superadmin of another organisation, with an account in this one. */
let guest: TestClient;

afterAll(() => test.close());

beforeEach(async () => {
  ({ org, below, admin, superadmin, member } = await makeStaffedOrganisation(test, operator));
  third = await makeOtherCustomer(test, operator);
  guest = await signedInAs(test, 'superadmin', third);
  await addMember(test, guest, { org, role: 'user' });
});

const accountOf = async (who: TestClient, viewer = admin, within = org): Promise<Account> =>
  (await viewer.call(account.get, accountIn(within, who))).body.data;

const wishOf = async (who: TestClient, more: Partial<Account> = {}) => {
  const { first_name, last_name, role, locale } = { ...(await accountOf(who)), ...more };
  return { ...byUserId(who), body: { first_name, last_name, role, locale } };
};

const signInAgain = async (who: TestClient): Promise<TestClient> => {
  const body = { email: await emailOf(test, who), password: testPassword, agreement: true };
  const { data } = (await anonymous(test).call(endpoints.identity.signIn, { body })).body;
  const authorization = `Bearer ${data.token}`;
  return clientOf(test, { ...who, token: data.token, headers: { ...who.headers, authorization } });
};

describe('a superadmin of another organisation', () => {
  it('is managed by the role here, like any other person', async () => {
    expect((await accountOf(guest)).fixed).toEqual(['person', 'password']);
    const promoted = await admin.call(account.update, await wishOf(guest, { role: 'operator' }));
    expect(promoted.body.data).toMatchObject({ role: 'operator' });
    const calls = everyChangeOf(guest).slice(2).reverse();
    const codes = await Promise.all(calls.map(async (change) => (await change(admin)).body.status.code));
    expect(codes.filter((code) => code !== 'CB-00-0000')).toEqual(['CB-07-0032']);
    expect(await accountOf(guest)).toMatchObject({ status: 'disabled', oversight: true });
    expect((await admin.call(account.remove, byUserId(guest))).http).toBe(200);
    expect((await actingIn(test, guest, third).call(account.refreshPermissions)).http).toBe(200);
  });

  it('keeps language, name and password', async () => {
    const { email } = await accountOf(guest);
    for (const manager of [admin, superadmin]) {
      const wish = await wishOf(guest, { locale: 'es-ES' });
      expectFailure(await manager.call(account.update, wish), 'CB-00-0400');
      expectFailure(await manager.call(account.resetPassword, byUserId(guest)), 'CB-07-0032');
    }
    expect((await takeMails(test)).filter(({ to }) => to === email)).toEqual([]);
  });

  it('keeps them even from an admin of both organisations', async () => {
    await addMember(test, admin, { org: third, role: 'admin' });
    expectFailure(await admin.call(account.resetPassword, byUserId(guest)), 'CB-07-0032');
    expect((await accountOf(guest)).fixed).toEqual(['person', 'password']);
  });

  it('changes their own language in any organisation', async () => {
    await addMember(test, admin, { org: third, role: 'superadmin' });
    const answer = await admin.call(account.update, await wishOf(admin, { locale: 'zh-CN' }));
    expect(answer.body.data).toMatchObject({ locale: 'zh-CN' });
  });
});

describe('a superadmin of an organisation above', () => {
  const inTheBranch = async () => {
    await addMember(test, superadmin, { org: below, role: 'admin' });
    const team = await makeOrganisation(test, { code: `team-${below.code}`, parentCode: below.code });
    await addMember(test, superadmin, { org: team, role: 'user' });
    return [below, team];
  };

  it('is safe from all that an admin can try, at any depth', async () => {
    for (const where of await inTheBranch()) {
      const adminThere = await signedInAs(test, 'admin', where);
      const before = await accountOf(superadmin, adminThere, where);
      expect(before.fixed).toEqual(['account', 'person', 'password']);
      for (const attempt of everyChangeOf(superadmin)) expectFailure(await attempt(adminThere), 'CB-07-0018');
      expect(await accountOf(superadmin, adminThere, where)).toEqual(before);
    }
    const mailed = await takeMails(test);
    const email = await emailOf(test, superadmin);
    expect(mailed.filter(({ to }) => to === email)).toEqual([]);
  });

  it('is managed by a superadmin of the organisation', async () => {
    await inTheBranch();
    const superadminThere = await signedInAs(test, 'superadmin', below);
    expect((await superadminThere.call(account.remove, byUserId(superadmin))).http).toBe(200);
  });
});

describe('a person who belongs to another organisation too', () => {
  beforeEach(() => addMember(test, member, { org: third, role: 'user' }));

  it('keeps language and name, which the response names as rejected fields', async () => {
    const wish = await wishOf(member, { locale: 'es-ES', last_name: 'Other' });
    const answer = await admin.call(account.update, wish);
    expectFailure(answer, 'CB-00-0400');
    expect(answer.body.status.detail?.issues?.map(({ path, key }) => [path, key])).toEqual([
      ['last_name', 'notAllowed'],
      ['locale', 'notAllowed'],
    ]);
    expect(await accountOf(member)).toMatchObject({ locale: 'en-US', last_name: 'Tester' });
  });

  it('keeps password and sessions: a reset is rejected, even if the other account is disabled', async () => {
    expectFailure(await admin.call(account.resetPassword, byUserId(member)), 'CB-07-0032');
    await test.database.pool.query(
      'update memberships set disabled_at = now() where user_id = $1 and org_id = $2',
      [member.userId, third.id],
    );
    expectFailure(await admin.call(account.resetPassword, byUserId(member)), 'CB-07-0032');
    const email = await emailOf(test, member);
    expect((await takeMails(test)).filter(({ to }) => to === email)).toEqual([]);
    expect((await member.call(endpoints.org.listMine)).http).toBe(200);
    expect((await signInAgain(member)).token).toMatch(/^scs_/);
  });
});

describe('an admin of all organisations of a person', () => {
  it('resets the password', async () => {
    await addMember(test, member, { org: third, role: 'user' });
    await addMember(test, admin, { org: third, role: 'admin' });
    const email = await emailOf(test, member);
    expect((await admin.call(account.resetPassword, byUserId(member))).http).toBe(200);
    expect((await takeMails(test)).filter(({ to }) => to === email)).toHaveLength(1);
    expectFailure(await member.call(endpoints.org.listMine), 'CB-00-0502');
  });
});

describe('ending sessions', () => {
  it('ends those in this organisation only, until the next sign-in', async () => {
    await addMember(test, member, { org: third, role: 'user' });
    test.clock.advance(1000);
    expect((await admin.call(account.endSessions, byUserId(member))).http).toBe(200);
    expectFailure(await member.call(account.refreshPermissions), 'CB-00-0502');
    expect((await actingIn(test, member, third).call(account.refreshPermissions)).http).toBe(200);
    expect((await member.call(endpoints.identity.getProfile)).http).toBe(200);
    test.clock.advance(1000);
    expect((await (await signInAgain(member)).call(account.refreshPermissions)).http).toBe(200);
    expectFailure(await member.call(account.refreshPermissions), 'CB-00-0502');
  });

  it('ends access to the organisation from another one, and its event stream', async () => {
    await addMember(test, member, { org: third, role: 'user' });
    await admin.call(account.endSessions, byUserId(member));
    const elsewhere = actingIn(test, member, third);
    const params = { orgCode: org.code };
    const refused = await elsewhere.call(endpoints.org.getEnterprise, { params });
    expectFailure(refused, 'CB-07-0038');
    expect(refused.body.status.message).toMatch(/^An admin of .+ has ended your sessions there\./);
    const told = await test.database.pool.query(
      `select payload from outbox where topic = 'account.changed' and org_id = $1 order by 1 desc limit 1`,
      [org.id],
    );
    expect(told.rows).toEqual([{ payload: { userId: member.userId } }]);
  });

  it('is audited, and rejected for one’s own account', async () => {
    expectFailure(await admin.call(account.endSessions, byUserId(admin)), 'CB-07-0021');
    await admin.call(account.endSessions, byUserId(member));
    const { body } = await admin.call(endpoints.audit.list, { body: { action: ['account.sessions-ended'] } });
    expect(body.data).toEqual([
      expect.objectContaining({ subject: expect.objectContaining({ id: member.userId }) }),
    ]);
  });
});

describe('the fixed parts of an account', () => {
  const fixedOf = async (who: TestClient, viewer = admin) => (await accountOf(who, viewer)).fixed;

  it('are shown with the account, in the list and on its page', async () => {
    expect(await fixedOf(member)).toEqual([]);
    expect(await fixedOf(guest, superadmin)).toEqual(['person', 'password']);
    expect(await fixedOf(superadmin)).toEqual(['account']);
    await addMember(test, member, { org: third, role: 'user' });
    expect(await fixedOf(member)).toEqual(['person', 'password']);
    const { body } = await admin.call(account.list, { params: { partnerCode: org.code } });
    expect(body.data.find(({ id }) => id === member.userId)?.fixed).toEqual(['person', 'password']);
    await addMember(test, admin, { org: third, role: 'admin' });
    expect(await fixedOf(member)).toEqual([]);
  });

  it('are empty for one’s own account', async () => {
    await addMember(test, superadmin, { org: third, role: 'user' });
    expect(await fixedOf(superadmin, superadmin)).toEqual([]);
  });
});
