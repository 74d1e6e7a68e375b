import { endpoints } from '@simcube/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  accountIn,
  addMember,
  byUserId,
  emailOf,
  everyChangeOf,
  expectFailure,
  freshEmail,
  makeOtherCustomer,
  makeStaffedOrganisation,
  type Org,
  testOperator,
} from '../../../testing/accounts.ts';
import { signedInAs, type TestClient } from '../../../testing/app.ts';

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

describe('the list of accounts', () => {
  const list = (client: TestClient, query: object = {}, code = org.code) =>
    client.call(account.list, { params: { partnerCode: code }, query });

  it('has members and open invitations', async () => {
    const body = {
      email: freshEmail(),
      role: 'operator',
      language: 'es-ES',
    } as const;
    const { id } = (await admin.call(endpoints.identity.invite, { body })).body.data;
    const answer = await list(admin);
    expect(answer.body.total_count).toBe(4);
    const pending = answer.body.data.find((one) => one.id === id);
    expect(pending).toEqual({
      id,
      first_name: '',
      last_name: '',
      email: body.email,
      locale: 'es-ES',
      role: 'operator',
      oversight: false,
      status: 'pending',
      two_factor: false,
      created_at: '2026-11-21T12:00:00.000Z',
      sign_in_count: 0,
      last_sign_in_at: null,
      pending_invitation: { id, expires_at: '2026-11-28T12:00:00.000Z' },
      permissions_changed: false,
      fixed: [],
    });
    const own = answer.body.data.find((one) => one.id === superadmin.userId);
    expect(own).toMatchObject({
      role: 'superadmin',
      oversight: true,
      status: 'active',
      sign_in_count: 1,
      last_sign_in_at: '2026-11-21T12:00:00.000Z',
      pending_invitation: null,
    });
    expect((await admin.call(account.get, accountIn(org, { userId: id }))).body.data).toEqual(pending);
  });

  it('is searched by name and address, and filtered by role and status', async () => {
    const names = async (query: object) => (await list(admin, query)).body.data.map(({ role }) => role);
    expect(await names({ search: 'SUPERADMIN Test' })).toEqual(['superadmin']);
    expect(await names({ search: (await emailOf(test, member)).toUpperCase() })).toEqual(['user']);
    expect(await names({ search: '%' })).toEqual([]);
    expect(await names({ role: 'admin' })).toEqual(['admin']);
    await admin.call(account.changeStatus, { ...byUserId(member), body: { status: 'disabled' } });
    expect(await names({ status: 'disabled' })).toEqual(['user']);
    expect(await names({ status: 'active', sort: 'role' })).toEqual(['admin', 'superadmin']);
    expect(await names({ status: 'pending' })).toEqual([]);
  });

  it.each(['name', 'email', 'role', 'created_at', 'last_sign_in_at', 'sign_in_count'] as const)(
    'is sorted by %s both ways, and each account is met once along the cursor',
    async (column) => {
      for (let i = 0; i < 4; i += 1) await signedInAs(test, i % 2 ? 'user' : 'operator', org);
      await test.database.pool.query(`update users set last_sign_in_at = null where id = $1`, [
        member.userId,
      ]);
      const met = async (sort: string): Promise<string[]> => {
        const ids: string[] = [];
        let cursor: string | null | undefined;
        do {
          const { body } = await list(admin, { sort, page_size: 3, ...(cursor && { cursor }) });
          expect(body.total_count).toBe(7);
          ids.push(...body.data.map(({ id }) => id));
          cursor = body.next_cursor;
        } while (cursor);
        return ids;
      };
      const up = await met(column);
      expect(new Set(up).size).toBe(7);
      expect(await met(`-${column}`)).toEqual([...up].reverse());
      const second = await list(admin, { sort: column, page_size: 3, page_no: 2 });
      expect(second.body.data.map(({ id }) => id)).toEqual(up.slice(3, 6));
    },
  );

  it('refuses a cursor that is not its own, or of another order', async () => {
    const { next_cursor } = (await list(admin, { page_size: 1, sort: 'role' })).body;
    const made = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url');
    const wrong = [
      next_cursor ?? '',
      'x',
      made(['name', 1, nobody]),
      made(['name', 'a\0', nobody]),
      made(['name', 'a', 'b']),
    ];
    for (const cursor of wrong) expectFailure(await list(admin, { cursor }), 'CB-00-0406');
  });

  it('covers the current organisation, or one below it for its admins', async () => {
    await signedInAs(test, 'operator', below);
    expect((await list(admin, {}, below.code)).body.data.map(({ role }) => role)).toEqual(['operator']);
    const other = await makeOtherCustomer(test, operator);
    for (const code of [operator.code, other.code, 'no-such', "' or true"]) {
      expectFailure(await list(admin, {}, code), 'CB-07-0029');
    }
    const reader = { ...byUserId(member), body: { actions: ['read' as const] } };
    await admin.call(account.changePermission, {
      params: { ...byUserId(member).params, key: 'account' },
      body: reader.body,
    });
    expect((await list(member)).body.total_count).toBe(3);
    expectFailure(await list(member, {}, below.code), 'CB-07-0029');
  });
});

describe('one account', () => {
  it('is shown to its person, and to those who may read accounts', async () => {
    expect((await member.call(account.get, accountIn(org, member))).body.data).toMatchObject({
      id: member.userId,
      role: 'user',
    });
    expectFailure(await member.call(account.get, accountIn(org, admin)), 'CB-00-0403');
    expectFailure(await member.call(account.listPartners, byUserId(admin)), 'CB-00-0403');
    expectFailure(await member.call(account.getPermissions, byUserId(admin)), 'CB-00-0403');
    expect((await admin.call(account.get, accountIn(org, member))).http).toBe(200);
  });

  it('in another organisation, or in none, is not found by any call', async () => {
    const other = await makeOtherCustomer(test, operator);
    const stranger = await signedInAs(test, 'user', other);
    for (const userId of [stranger.userId, nobody]) {
      for (const attempt of everyChangeOf({ userId })) expectFailure(await attempt(admin), 'CB-07-0028');
      for (const client of [admin, member]) {
        expectFailure(await client.call(account.get, accountIn(org, { userId })), 'CB-07-0028');
        expectFailure(await client.call(account.listPartners, byUserId({ userId })), 'CB-07-0028');
        expectFailure(await client.call(account.getPermissions, byUserId({ userId })), 'CB-07-0028');
      }
    }
  });

  it('shows the organisations below and those that the caller manages, and all of them to the person', async () => {
    const other = await makeOtherCustomer(test, operator);
    await addMember(test, member, { org: below, role: 'operator' });
    await addMember(test, member, { org: other, role: 'user' });
    const codes = async (client: TestClient) =>
      (await client.call(account.listPartners, byUserId(member))).body.data.map(({ code }) => code);
    expect(new Set(await codes(member))).toEqual(new Set([org.code, below.code, other.code]));
    expect((await admin.call(account.listPartners, byUserId(member))).body.data).toMatchObject([
      { code: org.code, role: 'user', default: true },
      { code: below.code, role: 'operator', default: false, oversight: false },
    ]);
    await addMember(test, admin, { org: other, role: 'admin' });
    expect(new Set(await codes(admin))).toEqual(new Set([org.code, below.code, other.code]));
  });
});
