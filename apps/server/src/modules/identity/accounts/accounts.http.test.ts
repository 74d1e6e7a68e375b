import { endpoints } from '@simcube/contract';
import type { Account } from '@simcube/contract/account';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  accountChangedEvents,
  accountIn,
  actingIn,
  addMember,
  auditEntriesOn,
  byUserId,
  everyChangeOf,
  expectFailure,
  freshEmail,
  makeOtherCustomer,
  makeStaffedOrganisation,
  type Org,
  testOperator,
  unknownFields,
} from '../../../testing/accounts.ts';
import {
  anonymous,
  makeOrganisation,
  signedInAs,
  type TestClient,
  testPassword,
} from '../../../testing/app.ts';
import { takeMails } from '../../../testing/mail.ts';

const { account } = endpoints;
const nobody = '00000000-0000-4000-8000-000000000000';
const { test, operator } = await testOperator();
let org: Org;
let below: Org;
let admin: TestClient;
let superadmin: TestClient;
let member: TestClient;

afterAll(() => test.close());

beforeEach(async () => {
  ({ org, below, admin, superadmin, member } = await makeStaffedOrganisation(test, operator));
});

const accountOf = async (client: TestClient): Promise<Account> =>
  (await superadmin.call(account.get, accountIn(org, client))).body.data;

/** The person's facts with some of them changed. */
const wishOf = async (client: TestClient, more: Partial<Account> = {}) => {
  const { first_name, last_name, role, locale } = { ...(await accountOf(client)), ...more };
  return { ...byUserId(client), body: { first_name, last_name, role, locale } };
};

describe('a superadmin', () => {
  it('is safe from all that an admin can try', async () => {
    const before = await accountOf(superadmin);
    const attempts = everyChangeOf(superadmin);
    for (const attempt of attempts) expectFailure(await attempt(admin), 'CB-07-0018');
    expect(await accountOf(superadmin)).toEqual(before);
    expect(await auditEntriesOn(test, org, superadmin)).toEqual([]);
    expect((await superadmin.call(endpoints.org.listMine)).http).toBe(200);
    const mails = await takeMails(test);
    expect(mails.filter(({ to }) => to === before.email)).toEqual([]);
  });

  it('is edited by another one, but neither removed nor disabled', async () => {
    const second = await signedInAs(test, 'superadmin', org);
    expectFailure(await second.call(account.remove, byUserId(superadmin)), 'CB-07-0018');
    const disable = { ...byUserId(superadmin), body: { status: 'disabled' as const } };
    expectFailure(await second.call(account.changeStatus, disable), 'CB-07-0018');
    const wish = await wishOf(superadmin, { role: 'admin' });
    expect((await second.call(account.update, wish)).body.data).toMatchObject({ role: 'admin' });
  });

  it('has oversight inherently: it is neither given nor taken, and no entry says that it was', async () => {
    const second = await signedInAs(test, 'superadmin', org);
    const set = (oversight: boolean) =>
      second.call(account.setOversight, { ...byUserId(superadmin), body: { oversight } });
    expectFailure(await set(false), 'CB-07-0018');
    expect((await set(true)).body.data).toMatchObject({ oversight: true });
    expect(await auditEntriesOn(test, org, superadmin)).toEqual([]);
  });

  it('is made by a superadmin only', async () => {
    const wish = await wishOf(member, { role: 'superadmin' });
    expectFailure(await admin.call(account.update, wish), 'CB-07-0019');
    expectFailure(
      await admin.call(account.update, await wishOf(admin, { role: 'superadmin' })),
      'CB-07-0021',
    );
    expect((await superadmin.call(account.update, wish)).body.data).toMatchObject({ role: 'superadmin' });
  });
});

it('a change that needs another administrator is rejected for one’s own account', async () => {
  for (const client of [admin, superadmin]) {
    const role = client === admin ? 'superadmin' : 'admin';
    const own = everyChangeOf(client);
    const results = [];
    for (const attempt of own) results.push((await attempt(client)).body.status.code);
    const refused = 'CB-07-0021';
    // Oversight may be granted and revoked: it gives nothing that an admin could not have.
    expect(results).toEqual([refused, refused, 'CB-00-0000', ...Array(7).fill(refused)]);
    expectFailure(await client.call(account.update, await wishOf(client, { role })), 'CB-07-0021');
    const wish = await wishOf(client, { first_name: 'Own', locale: 'zh-CN' });
    expect((await client.call(account.update, wish)).body.data).toMatchObject({ first_name: 'Own' });
  }
});

describe('a change', () => {
  it('of role applies from the next call on, and is announced and audited', async () => {
    expectFailure(await member.call(account.list, { params: { partnerCode: org.code } }), 'CB-00-0403');
    const wish = await wishOf(member, { role: 'admin', locale: 'zh-TW' });
    const { body } = await admin.call(account.update, wish);
    expect(body.data).toMatchObject({ id: member.userId, role: 'admin', locale: 'zh-TW' });
    expect((await member.call(account.list, { params: { partnerCode: org.code } })).http).toBe(200);
    expect(await auditEntriesOn(test, org, member)).toEqual([
      {
        action: 'account.updated',
        before: { role: 'user', locale: 'en-US' },
        after: { role: 'admin', locale: 'zh-TW' },
      },
    ]);
    expect(await accountChangedEvents(test, org, member)).toBe(1);
    await admin.call(account.update, wish);
    expect(await auditEntriesOn(test, org, member)).toHaveLength(1);
    expect(await accountChangedEvents(test, org, member)).toBe(1);
  });

  it('of role drops the permissions changed for the former role', async () => {
    const change = { params: { ...byUserId(member).params, key: 'autoflow-cube' as const } };
    await admin.call(account.changePermission, { ...change, body: { actions: ['write'] } });
    await admin.call(account.update, await wishOf(member, { role: 'operator' }));
    const { body } = await admin.call(account.getPermissions, byUserId(member));
    expect(body.data).toMatchObject({ role: 'operator', changes: {}, name: null });
  });

  it('of a superadmin’s role ends the oversight that was the superadmin’s, and no other one', async () => {
    const { pool } = test.database;
    const boss = await signedInAs(test, 'superadmin', org);
    await pool.query('update memberships set oversight = true where user_id = any($1::uuid[])', [
      [boss.userId, member.userId],
    ]);
    const demoted = await superadmin.call(account.update, await wishOf(boss, { role: 'user' }));
    expect(demoted.body.data).toMatchObject({ role: 'user', oversight: false });
    const raised = await superadmin.call(account.update, await wishOf(member, { role: 'operator' }));
    expect(raised.body.data).toMatchObject({ role: 'operator', oversight: true });
    const made = await makeOrganisation(test, { code: `below-${org.code}`, parentCode: org.code });
    expectFailure(await actingIn(test, boss, made).call(account.refreshPermissions), 'CB-07-0008');
    expect((await actingIn(test, member, made).call(account.refreshPermissions)).http).toBe(200);
  });

  it('of a name requires an admin of all the person’s organisations', async () => {
    await addMember(test, member, { org: below, role: 'user' });
    const renamed = await admin.call(
      account.update,
      await wishOf(member, { first_name: 'X', role: 'operator' }),
    );
    expectFailure(renamed, 'CB-00-0400');
    expect(renamed.body.status.detail?.issues).toEqual([
      expect.objectContaining({ path: 'first_name', key: 'notAllowed' }),
    ]);
    expect(await accountOf(member)).toMatchObject({ role: 'user' });
    const kept = await admin.call(account.update, await wishOf(member, { role: 'operator' }));
    expect(kept.body.data).toMatchObject({ role: 'operator' });
    await addMember(test, admin, { org: below, role: 'admin' });
    const allowed = await admin.call(account.update, await wishOf(member, { first_name: 'X' }));
    expect(allowed.body.data).toMatchObject({ first_name: 'X' });
  });

  it('accepts no unknown fields', async () => {
    const { email } = await accountOf(member);
    const { body: wish } = await wishOf(member, { first_name: 'Neat' });
    const more = {
      id: nobody,
      email: 'stolen@example.test',
      oversight: true,
      status: 'disabled',
      password: 'stolen-1!',
      permission_changes: { account: ['all'] },
      sign_in_count: 99,
    };
    const attempt = { raw: { body: { ...wish, ...more } } };
    expect(unknownFields(await admin.call(account.update, byUserId(member), attempt))).toEqual(
      Object.keys(more),
    );
    const status = { raw: { body: { status: 'disabled', role: 'superadmin', oversight: true } } };
    const disabled = await admin.call(account.changeStatus, byUserId(member), status);
    expect(unknownFields(disabled)).toEqual(['role', 'oversight']);
    expect(await accountOf(member)).toMatchObject({
      id: member.userId,
      email,
      first_name: 'user',
      role: 'user',
      oversight: false,
      status: 'active',
      sign_in_count: 1,
      permissions_changed: false,
    });
    const signIn = { email, password: testPassword, agreement: true };
    expect((await anonymous(test).call(endpoints.identity.signIn, { body: signIn })).http).toBe(200);
    const created = { ...wish, email: freshEmail(), status: 'accepted', id: nobody };
    const answer = await admin.call(account.create, {}, { raw: { body: { ...created, sign_in_count: 5 } } });
    expect(unknownFields(answer)).toEqual(['status', 'id', 'sign_in_count']);
  });

  it('of an invalid value is rejected at its field', async () => {
    const { body: wish } = await wishOf(member);
    const wrong: [string, unknown][] = [
      ['first_name', ''],
      ['first_name', ' '],
      ['last_name', 'x'.repeat(31)],
      ['role', 'owner'],
      ['role', undefined],
      ['locale', 'de-DE'],
      ['locale', undefined],
    ];
    for (const [field, value] of wrong) {
      const answer = await admin.call(account.update, byUserId(member), {
        raw: { body: { ...wish, [field]: value } },
      });
      expectFailure(answer, 'CB-00-0400');
      expect(answer.body.status.detail?.issues?.map(({ path }) => path)).toEqual([field]);
    }
    const email = await admin.call(account.create, {}, { raw: { body: { ...wish, email: 'not-one' } } });
    expect(email.body.status.detail?.issues).toEqual([
      expect.objectContaining({ path: 'email', key: 'invalidEmail' }),
    ]);
  });
});

describe('removing', () => {
  it('deletes the account, frees the seat, and ends the sessions of a person without other memberships', async () => {
    const seats = async () =>
      (await admin.call(endpoints.org.getSeats, { params: { orgCode: org.code } })).body.data.used;
    const used = await seats();
    expect((await admin.call(account.remove, byUserId(member))).http).toBe(200);
    expect(await seats()).toBe(used - 1);
    await vi.waitFor(async () => {
      expectFailure(await member.call(endpoints.org.listMine), 'CB-00-0502');
    });
    expectFailure(await admin.call(account.remove, byUserId(member)), 'CB-07-0028');
    expect(await auditEntriesOn(test, org, member)).toEqual([
      { action: 'account.removed', before: expect.objectContaining({ role: 'user' }), after: null },
    ]);
    expect(await accountChangedEvents(test, org, member)).toBe(1);
  });

  it('leaves a member of other organisations signed in, with another default organisation', async () => {
    const third = await makeOtherCustomer(test, operator);
    await addMember(test, member, { org: third, role: 'user' });
    await addMember(test, member, { org: below, role: 'user' });
    await test.database.pool.query(
      'update memberships set disabled_at = now() where user_id = $1 and org_id = $2',
      [member.userId, third.id],
    );
    await admin.call(account.remove, byUserId(member));
    expectFailure(await member.call(account.refreshPermissions), 'CB-07-0008');
    const mine = await member.call(endpoints.org.listMine);
    expect(mine.body.data).toEqual([expect.objectContaining({ code: below.code, default: true })]);
    expect((await actingIn(test, member, below).call(account.refreshPermissions)).http).toBe(200);
  });
});

describe('disabling', () => {
  it('closes this organisation only, and reports when nothing would change', async () => {
    await addMember(test, member, { org: below, role: 'user' });
    const set = (status: 'active' | 'disabled') =>
      admin.call(account.changeStatus, { ...byUserId(member), body: { status } });
    expectFailure(await set('active'), 'CB-07-0020');
    expect((await set('disabled')).body.data).toMatchObject({ status: 'disabled' });
    expectFailure(await set('disabled'), 'CB-07-0020');
    expectFailure(await member.call(account.refreshPermissions), 'CB-07-0008');
    expect((await actingIn(test, member, below).call(account.refreshPermissions)).http).toBe(200);
    expect((await set('active')).body.data).toMatchObject({ status: 'active' });
    expect((await member.call(account.refreshPermissions)).http).toBe(200);
    expect(await accountChangedEvents(test, org, member)).toBe(2);
  });
});

it('oversight is given and taken', async () => {
  const set = (oversight: boolean) =>
    admin.call(account.setOversight, { ...byUserId(member), body: { oversight } });
  expect((await set(true)).body.data).toMatchObject({ oversight: true, role: 'user' });
  expect((await set(true)).http).toBe(200);
  expect(await auditEntriesOn(test, org, member)).toEqual([
    { action: 'account.oversight-changed', before: { oversight: false }, after: { oversight: true } },
  ]);
  expect((await set(false)).body.data).toMatchObject({ oversight: false });
});

it('resetting a password emails a link to the person and ends the sessions', async () => {
  const { email } = await accountOf(member);
  const answer = await admin.call(account.resetPassword, byUserId(member));
  expect([answer.http, answer.body.data]).toEqual([200, null]);
  const mail = (await takeMails(test)).findLast(({ to }) => to === email);
  expect(new URLSearchParams(mail?.link?.hash.slice(1)).get('reset')).toMatch(/^.{43,}$/);
  await vi.waitFor(async () => {
    expectFailure(await member.call(endpoints.org.listMine), 'CB-00-0502');
  });
  expect(await auditEntriesOn(test, org, member)).toMatchObject([{ action: 'account.password-reset' }]);
});

it('oversight below the first level has no effect, is not given there, and may be taken', async () => {
  const chief = await signedInAs(test, 'admin', below);
  const deputy = await signedInAs(test, 'user', below);
  const set = (oversight: boolean) =>
    chief.call(account.setOversight, { ...byUserId(deputy), body: { oversight } });
  expectFailure(await set(true), 'CB-07-0035');
  await test.database.pool.query('update memberships set oversight = true where user_id = $1', [
    deputy.userId,
  ]);
  expect((await set(true)).body.data).toMatchObject({ oversight: true });
  expect((await set(false)).body.data).toMatchObject({ oversight: false });
});

it('oversight is given in the organisation of the operator', async () => {
  const chief = await signedInAs(test, 'admin', operator);
  const deputy = await signedInAs(test, 'user', operator);
  const given = await chief.call(account.setOversight, { ...byUserId(deputy), body: { oversight: true } });
  expect(given.body.data).toMatchObject({ oversight: true });
});
