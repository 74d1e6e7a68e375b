import {
  actions,
  endpoints,
  isGrantable,
  type PermissionKey,
  permissionKeys,
  permissionsByRole,
  type ResponseOf,
} from '@simcube/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  accountChangedEvents,
  accountIn,
  auditEntriesOn,
  byUserId,
  everyChangeOf,
  expectFailure,
  makeStaffedOrganisation,
  type Org,
  testOperator,
} from '../../../testing/accounts.ts';
import { signedInAs, type TestClient } from '../../../testing/app.ts';

const { account } = endpoints;
const { test, operator } = await testOperator();
let org: Org;
let admin: TestClient;
let superadmin: TestClient;
let member: TestClient;

afterAll(() => test.close());

beforeEach(async () => {
  ({ org, admin, superadmin, member } = await makeStaffedOrganisation(test, operator));
});

describe('changed permissions', () => {
  type Actions = ResponseOf<typeof account.getPermissions>['changes'][PermissionKey];
  const change = (key: PermissionKey, actions: NonNullable<Actions>, client = admin) =>
    client.call(account.changePermission, { params: { userId: member.userId, key }, body: { actions } });
  const rights = async () => (await admin.call(account.getPermissions, byUserId(member))).body.data;

  it('apply from the next call on, and are shown next to those of the role', async () => {
    expect(await rights()).toEqual({
      role: 'user',
      effective: permissionsByRole.user,
      of_role: permissionsByRole.user,
      changes: {},
      name: null,
      changeable: true,
    });
    expectFailure(await member.call(account.list, { params: { partnerCode: org.code } }), 'CB-00-0403');
    expect((await change('account', ['read'])).body.data.effective).toMatchObject({ account: ['read'] });
    expect((await member.call(account.list, { params: { partnerCode: org.code } })).http).toBe(200);
    await change('sim', []);
    expectFailure(await member.call(endpoints.sim.list, { body: {} }), 'CB-00-0403');
    expect((await member.call(account.refreshPermissions)).body.data).toEqual({
      role: 'user',
      changes: { account: ['read'], sim: [] },
      effective: { ...permissionsByRole.user, account: ['read'], sim: [] },
      sharedPool: [],
    });
    const { body } = await admin.call(account.get, accountIn(org, member));
    expect(body.data).toMatchObject({ permissions_changed: true });
    expect(await accountChangedEvents(test, org, member)).toBe(2);
  });

  it('are named, and undone one by one or several at once', async () => {
    await change('sim', []);
    await change('cdr', []);
    await change('autoflow-cube', ['read']);
    const { userId } = member;
    const name = (to: string | null) => admin.call(account.namePermissions, { body: { userId, name: to } });
    expect((await name(' night shift ')).body.data.name).toBe('night shift');
    expect((await name('  ')).body.data.name).toBeNull();
    await name('again');
    const one = await admin.call(account.removePermission, { params: { userId, key: 'sim' } });
    expect(one.body.data).toMatchObject({ changes: { cdr: [], 'autoflow-cube': ['read'] }, name: 'again' });
    const same = await admin.call(account.removePermission, { params: { userId, key: 'sim' } });
    expect(same.body.data).toEqual(one.body.data);
    const keys = ['cdr', 'autoflow-cube', 'account'] as const;
    const all = await admin.call(account.removePermissions, { body: { userId, keys: [...keys] } });
    expect(all.body.data).toMatchObject({ changes: {}, name: null });
    expect((await name('nothing')).body.data).toMatchObject({ changes: {}, name: null });
    const actions = (await auditEntriesOn(test, org, member)).map(({ action }) => action);
    const changed = 'account.permissions-changed';
    const namings = Array(3).fill('account.permissions-named');
    expect(actions).toEqual([changed, changed, changed, ...namings, changed, changed]);
  });

  it('never include managing accounts or unknown permissions', async () => {
    for (const action of ['write', 'operate', 'all'] as const) {
      expectFailure(await change('account', ['read', action]), 'CB-07-0034');
      expectFailure(await change('account', [action], superadmin), 'CB-07-0034');
    }
    const raw = { raw: { body: { actions: ['everything'] } } };
    const params = { userId: member.userId, key: 'sim' as const };
    expectFailure(await admin.call(account.changePermission, { params }, raw), 'CB-00-0400');
    const star = { userId: member.userId, key: '*' as 'sim' };
    expectFailure(
      await admin.call(account.changePermission, { params: star, body: { actions: [] } }),
      'CB-00-0400',
    );
    expect((await rights()).changes).toEqual({});
  });

  it('are rejected for roles with all permissions', async () => {
    const second = await signedInAs(test, 'admin', org);
    const params = { userId: second.userId, key: 'sim' as const };
    expectFailure(
      await admin.call(account.changePermission, { params, body: { actions: [] } }),
      'CB-07-0022',
    );
    const naming = { userId: second.userId, name: 'everything' };
    expectFailure(await admin.call(account.namePermissions, { body: naming }), 'CB-07-0022');
    const { body } = await admin.call(account.getPermissions, byUserId(second));
    expect(body.data).toMatchObject({ changeable: false, effective: { '*': ['all'] } });
  });

  it.each(['sim', 'sim-report-cube'] as const)(
    'of %s never give what only administrators may do',
    async (key) => {
      const params = { userId: member.userId, key };
      for (const action of ['write', 'all'] as const) {
        const body = { actions: [action] };
        expectFailure(await superadmin.call(account.changePermission, { params, body }), 'CB-07-0034');
      }
    },
  );

  it('do not escalate: an operator with all grantable permissions can’t manage accounts', async () => {
    const riser = await signedInAs(test, 'operator', org);
    for (const key of permissionKeys) {
      const params = { userId: riser.userId, key };
      const given = actions.filter((action) => isGrantable(key, action));
      const changed = await superadmin.call(account.changePermission, { params, body: { actions: given } });
      expect(changed.http).toBe(200);
    }
    for (const target of [riser, member, admin, superadmin]) {
      for (const attempt of everyChangeOf(target)) expectFailure(await attempt(riser), 'CB-00-0403');
    }
    const body = { email: 'friend@example.test', role: 'superadmin', language: 'en-US' } as const;
    expectFailure(await riser.call(endpoints.identity.invite, { body }), 'CB-00-0403');
    expect((await riser.call(account.get, accountIn(org, admin))).http).toBe(200);
  });
});
