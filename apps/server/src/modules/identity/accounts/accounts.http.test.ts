import {
  type Account,
  type Envelope,
  type ErrorCode,
  endpoints,
  errors,
  type PermissionKey,
  permissionKeys,
  permissionsByRole,
  type ResponseOf,
  type Role,
} from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  anonymous,
  clientOf,
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
let below: Org;
let admin: TestClient;
let superadmin: TestClient;
let member: TestClient;
let organisations = 0;
const { account } = endpoints;
const nobody = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  test = await testApp();
  operator = await makeOrganisation(test, { code: 'the-operator' });
});

afterAll(() => test.close());

beforeEach(async () => {
  organisations += 1;
  org = await makeOrganisation(test, { code: `customer-${organisations}`, parentCode: operator.code });
  below = await makeOrganisation(test, { code: `branch-${organisations}`, parentCode: org.code });
  admin = await signedInAs(test, 'admin', org);
  superadmin = await signedInAs(test, 'superadmin', org);
  member = await signedInAs(test, 'user', org);
});

const expectFailure = (answer: { http: number; body: Envelope<unknown> }, code: ErrorCode) => {
  expect([answer.http, answer.body.status.code]).toEqual([errors[code].http, code]);
};

const by = ({ userId }: { userId: string }) => ({ params: { userId } });
const within = ({ code: partnerCode }: Org, { userId }: { userId: string }) => ({
  params: { partnerCode, userId },
});

const join = async ({ userId }: TestClient, to: Org, role: Role): Promise<void> => {
  const membership = { userId, orgId: to.id, role, oversight: false };
  await test.wiring.org.addMembership(test.database.pool, membership);
};

/** The same person, speaking in the name of another organisation. */
const inOrg = (client: TestClient, to: Org): TestClient =>
  clientOf(test, {
    ...client,
    orgId: to.id,
    headers: { ...client.headers, 'tenant-id': to.tenantId, 'partner-code': to.code },
  });

const accountOf = async (client: TestClient): Promise<Account> =>
  (await superadmin.call(account.get, within(org, client))).body.data;

/** The person's facts with some of them changed. */
const wishOf = async (client: TestClient, more: Partial<Account> = {}) => {
  const { first_name, last_name, role, locale } = { ...(await accountOf(client)), ...more };
  return { ...by(client), body: { first_name, last_name, role, locale } };
};

const audited = async (client: TestClient) =>
  (
    await test.database.pool.query(
      `select action, before, after from audit_entries
       where org_id = $1 and subject_id = $2 and subject_kind = 'account' order by number`,
      [org.id, client.userId],
    )
  ).rows;

const changesTold = async (client: TestClient): Promise<number> =>
  (
    await test.database.pool.query(
      `select 1 from outbox where topic = 'account.changed' and org_id = $1 and payload ->> 'userId' = $2`,
      [org.id, client.userId],
    )
  ).rowCount ?? 0;

describe('the list of accounts', () => {
  const list = (client: TestClient, query: object = {}, code = org.code) =>
    client.call(account.list, { params: { partnerCode: code }, query });

  it('has members and open invitations', async () => {
    const body = {
      email: `pending-${organisations}@example.test`,
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
    expect((await admin.call(account.get, within(org, { userId: id }))).body.data).toEqual(pending);
  });

  it('is searched by name and address, and filtered by role and status', async () => {
    const names = async (query: object) => (await list(admin, query)).body.data.map(({ role }) => role);
    expect(await names({ search: 'SUPERADMIN Test' })).toEqual(['superadmin']);
    expect(await names({ search: (await accountOf(member)).email.toUpperCase() })).toEqual(['user']);
    expect(await names({ search: '%' })).toEqual([]);
    expect(await names({ role: 'admin' })).toEqual(['admin']);
    await admin.call(account.changeStatus, { ...by(member), body: { status: 'disabled' } });
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

  it('is of the current organisation, or for admins of one below', async () => {
    await signedInAs(test, 'operator', below);
    expect((await list(admin, {}, below.code)).body.data.map(({ role }) => role)).toEqual(['operator']);
    const other = await makeOrganisation(test, { code: `x-${organisations}`, parentCode: operator.code });
    for (const code of [operator.code, other.code, 'no-such', "' or true"]) {
      expectFailure(await list(admin, {}, code), 'CB-07-0029');
    }
    const reader = { ...by(member), body: { actions: ['read' as const] } };
    await admin.call(account.changePermission, {
      params: { ...by(member).params, key: 'account' },
      body: reader.body,
    });
    expect((await list(member)).body.total_count).toBe(3);
    expectFailure(await list(member, {}, below.code), 'CB-07-0029');
  });
});

describe('one account', () => {
  it('is read by its own person, and by who may read accounts', async () => {
    expect((await member.call(account.get, within(org, member))).body.data).toMatchObject({
      id: member.userId,
      role: 'user',
    });
    expectFailure(await member.call(account.get, within(org, admin)), 'CB-00-0403');
    expectFailure(await member.call(account.listPartners, by(admin)), 'CB-00-0403');
    expectFailure(await member.call(account.getPermissions, by(admin)), 'CB-00-0403');
    expect((await admin.call(account.get, within(org, member))).http).toBe(200);
  });

  it('of another organisation, or of nobody, is not found by any call', async () => {
    const other = await makeOrganisation(test, { code: `y-${organisations}`, parentCode: operator.code });
    const stranger = await signedInAs(test, 'user', other);
    for (const userId of [stranger.userId, nobody]) {
      for (const attempt of everythingOn({ userId })) expectFailure(await attempt(admin), 'CB-07-0028');
      for (const client of [admin, member]) {
        expectFailure(await client.call(account.get, within(org, { userId })), 'CB-07-0028');
        expectFailure(await client.call(account.listPartners, by({ userId })), 'CB-07-0028');
        expectFailure(await client.call(account.getPermissions, by({ userId })), 'CB-07-0028');
      }
    }
  });

  it('tells the organisations that the asker manages too, and all of them to its person', async () => {
    await join(member, below, 'operator');
    const codes = async (client: TestClient) =>
      (await client.call(account.listPartners, by(member))).body.data.map(({ code }) => code);
    expect(await codes(member)).toEqual([org.code, below.code]);
    expect(await codes(admin)).toEqual([org.code]);
    await join(admin, below, 'admin');
    expect((await admin.call(account.listPartners, by(member))).body.data).toMatchObject([
      { code: org.code, role: 'user', default: true },
      { code: below.code, role: 'operator', default: false, oversight: false },
    ]);
  });
});

/** Every call that changes an account, on this one. */
const everythingOn = (who: {
  userId: string;
}): ((client: TestClient) => Promise<{ http: number; body: Envelope<unknown> }>)[] => {
  const key = 'sim' as const;
  const names = { first_name: 'New', last_name: 'Name', locale: 'es-ES' } as const;
  const { userId } = who;
  return [
    (client) => client.call(account.update, { ...by(who), body: { ...names, role: 'user' } }),
    (client) => client.call(account.remove, by(who)),
    (client) => client.call(account.setOversight, { ...by(who), body: { oversight: true } }),
    (client) => client.call(account.changeStatus, { ...by(who), body: { status: 'disabled' } }),
    (client) => client.call(account.resetPassword, by(who)),
    (client) => client.call(account.changePermission, { params: { userId, key }, body: { actions: [] } }),
    (client) => client.call(account.removePermission, { params: { userId, key } }),
    (client) => client.call(account.removePermissions, { body: { userId, keys: [key] } }),
    (client) => client.call(account.namePermissions, { body: { userId, name: 'night shift' } }),
  ];
};

describe('a superadmin', () => {
  it('is safe from all that an admin can try', async () => {
    const before = await accountOf(superadmin);
    const attempts = everythingOn(superadmin);
    for (const attempt of attempts) expectFailure(await attempt(admin), 'CB-07-0018');
    expect(await accountOf(superadmin)).toEqual(before);
    expect(await audited(superadmin)).toEqual([]);
    expect((await superadmin.call(endpoints.org.listMine)).http).toBe(200);
    const mails = await takeMails(test);
    expect(mails.filter(({ to }) => to === before.email)).toEqual([]);
  });

  it('is edited by another one, but neither removed nor disabled', async () => {
    const second = await signedInAs(test, 'superadmin', org);
    expectFailure(await second.call(account.remove, by(superadmin)), 'CB-07-0018');
    const disable = { ...by(superadmin), body: { status: 'disabled' as const } };
    expectFailure(await second.call(account.changeStatus, disable), 'CB-07-0018');
    const wish = await wishOf(superadmin, { role: 'admin' });
    expect((await second.call(account.update, wish)).body.data).toMatchObject({ role: 'admin' });
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

it('nobody does to the own account what takes another one', async () => {
  for (const client of [admin, superadmin]) {
    const role = client === admin ? 'superadmin' : 'admin';
    const own = everythingOn(client);
    const results = [];
    for (const attempt of own) results.push((await attempt(client)).body.status.code);
    const refused = 'CB-07-0021';
    // Oversight may be taken and given: it gives nothing that an admin could not have.
    expect(results).toEqual([refused, refused, 'CB-00-0000', ...Array(6).fill(refused)]);
    expectFailure(await client.call(account.update, await wishOf(client, { role })), 'CB-07-0021');
    const wish = await wishOf(client, { first_name: 'Own', locale: 'zh-CN' });
    expect((await client.call(account.update, wish)).body.data).toMatchObject({ first_name: 'Own' });
  }
});

describe('a change', () => {
  it('of role counts from the next call on, and is told and recorded', async () => {
    expectFailure(await member.call(account.list, { params: { partnerCode: org.code } }), 'CB-00-0403');
    const wish = await wishOf(member, { role: 'admin', locale: 'zh-TW' });
    const { body } = await admin.call(account.update, wish);
    expect(body.data).toMatchObject({ id: member.userId, role: 'admin', locale: 'zh-TW' });
    expect((await member.call(account.list, { params: { partnerCode: org.code } })).http).toBe(200);
    expect(await audited(member)).toEqual([
      {
        action: 'account.updated',
        before: { role: 'user', locale: 'en-US' },
        after: { role: 'admin', locale: 'zh-TW' },
      },
    ]);
    expect(await changesTold(member)).toBe(1);
    await admin.call(account.update, wish);
    expect(await audited(member)).toHaveLength(1);
    expect(await changesTold(member)).toBe(1);
  });

  it('of role takes changed rights back, which were changes of the former role', async () => {
    const change = { params: { ...by(member).params, key: 'autoflow-cube' as const } };
    await admin.call(account.changePermission, { ...change, body: { actions: ['write'] } });
    await admin.call(account.update, await wishOf(member, { role: 'operator' }));
    const { body } = await admin.call(account.getPermissions, by(member));
    expect(body.data).toMatchObject({ role: 'operator', changes: {}, name: null });
  });

  it('of a name is refused at the field where the person is somebody elsewhere too', async () => {
    await join(member, below, 'user');
    const renamed = await admin.call(
      account.update,
      await wishOf(member, { first_name: 'X', role: 'operator' }),
    );
    expectFailure(renamed, 'CB-00-0400');
    expect(renamed.body.status.detail?.issues).toEqual([
      expect.objectContaining({ path: 'first_name', key: 'notAllowed' }),
    ]);
    expect(await accountOf(member)).toMatchObject({ role: 'user' });
    const kept = await admin.call(
      account.update,
      await wishOf(member, { role: 'operator', locale: 'es-ES' }),
    );
    expect(kept.body.data).toMatchObject({ role: 'operator', locale: 'es-ES' });
    await join(admin, below, 'admin');
    const allowed = await admin.call(account.update, await wishOf(member, { first_name: 'X' }));
    expect(allowed.body.data).toMatchObject({ first_name: 'X' });
  });

  it('takes no more than its fields', async () => {
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
    await admin.call(account.update, by(member), { raw: { body: { ...wish, ...more } } });
    const status = { status: 'disabled', role: 'superadmin', oversight: true };
    await admin.call(account.changeStatus, by(member), { raw: { body: status } });
    await admin.call(account.changeStatus, { ...by(member), body: { status: 'active' } });
    expect(await accountOf(member)).toMatchObject({
      id: member.userId,
      email,
      first_name: 'Neat',
      role: 'user',
      oversight: false,
      status: 'active',
      sign_in_count: 1,
      permissions_changed: false,
    });
    const signIn = { email, password: testPassword, agreement: true };
    expect((await anonymous(test).call(endpoints.identity.signIn, { body: signIn })).http).toBe(200);
    const created = { ...wish, email: `m-${organisations}@example.test`, status: 'accepted', id: nobody };
    const answer = await admin.call(account.create, {}, { raw: { body: { ...created, sign_in_count: 5 } } });
    expect(answer.body.data.id).not.toBe(nobody);
  });

  it('of what breaks a rule is refused at the field', async () => {
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
      const answer = await admin.call(account.update, by(member), {
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
  it('takes the account, ends the sessions of who belongs nowhere any more, and frees the seat', async () => {
    const seats = async () =>
      (await admin.call(endpoints.org.getSeats, { params: { orgCode: org.code } })).body.data.used;
    const used = await seats();
    expect((await admin.call(account.remove, by(member))).http).toBe(200);
    expect(await seats()).toBe(used - 1);
    await vi.waitFor(async () => {
      expectFailure(await member.call(endpoints.org.listMine), 'CB-00-0502');
    });
    expectFailure(await admin.call(account.remove, by(member)), 'CB-07-0028');
    expect(await audited(member)).toEqual([
      { action: 'account.removed', before: expect.objectContaining({ role: 'user' }), after: null },
    ]);
    expect(await changesTold(member)).toBe(1);
  });

  it('leaves who belongs elsewhere signed in, with another default organisation', async () => {
    const third = await makeOrganisation(test, { code: `z-${organisations}`, parentCode: operator.code });
    await join(member, third, 'user');
    await join(member, below, 'user');
    await test.database.pool.query(
      'update memberships set disabled_at = now() where user_id = $1 and org_id = $2',
      [member.userId, third.id],
    );
    await admin.call(account.remove, by(member));
    expectFailure(await member.call(account.refreshPermissions), 'CB-07-0008');
    const mine = await member.call(endpoints.org.listMine);
    expect(mine.body.data).toEqual([expect.objectContaining({ code: below.code, default: true })]);
    expect((await inOrg(member, below).call(account.refreshPermissions)).http).toBe(200);
  });
});

describe('disabling', () => {
  it('shuts this organisation, the others stay; it is told when nothing would change', async () => {
    await join(member, below, 'user');
    const set = (status: 'active' | 'disabled') =>
      admin.call(account.changeStatus, { ...by(member), body: { status } });
    expectFailure(await set('active'), 'CB-07-0020');
    expect((await set('disabled')).body.data).toMatchObject({ status: 'disabled' });
    expectFailure(await set('disabled'), 'CB-07-0020');
    expectFailure(await member.call(account.refreshPermissions), 'CB-07-0008');
    expect((await inOrg(member, below).call(account.refreshPermissions)).http).toBe(200);
    expect((await set('active')).body.data).toMatchObject({ status: 'active' });
    expect((await member.call(account.refreshPermissions)).http).toBe(200);
    expect(await changesTold(member)).toBe(2);
  });
});

it('oversight is given and taken', async () => {
  const set = (oversight: boolean) =>
    admin.call(account.setOversight, { ...by(member), body: { oversight } });
  expect((await set(true)).body.data).toMatchObject({ oversight: true, role: 'user' });
  expect((await set(true)).http).toBe(200);
  expect(await audited(member)).toEqual([
    { action: 'account.oversight-changed', before: { oversight: false }, after: { oversight: true } },
  ]);
  expect((await set(false)).body.data).toMatchObject({ oversight: false });
});

it('resetting a password mails a link to its person and ends the sessions', async () => {
  const { email } = await accountOf(member);
  const answer = await admin.call(account.resetPassword, by(member));
  expect([answer.http, answer.body.data]).toEqual([200, null]);
  const mail = (await takeMails(test)).findLast(({ to }) => to === email);
  expect(new URLSearchParams(mail?.link?.hash.slice(1)).get('reset')).toMatch(/^.{43,}$/);
  await vi.waitFor(async () => {
    expectFailure(await member.call(endpoints.org.listMine), 'CB-00-0502');
  });
  expect(await audited(member)).toMatchObject([{ action: 'account.password-reset' }]);
});

describe('changed rights', () => {
  type Actions = ResponseOf<typeof account.getPermissions>['changes'][PermissionKey];
  const change = (key: PermissionKey, actions: NonNullable<Actions>, client = admin) =>
    client.call(account.changePermission, { params: { userId: member.userId, key }, body: { actions } });
  const rights = async () => (await admin.call(account.getPermissions, by(member))).body.data;

  it('count from the next call on, and are shown beside those of the role', async () => {
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
    });
    expect(await accountOf(member)).toMatchObject({ permissions_changed: true });
    expect(await changesTold(member)).toBe(2);
  });

  it('are named, and taken back one by one or several at once', async () => {
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
    const actions = (await audited(member)).map(({ action }) => action);
    const changed = 'account.permissions-changed';
    const namings = Array(3).fill('account.permissions-named');
    expect(actions).toEqual([changed, changed, changed, ...namings, changed, changed]);
  });

  it('never reach the managing of accounts, nor beyond what is known', async () => {
    for (const action of ['write', 'operate', 'all'] as const) {
      expectFailure(await change('account', ['read', action]), 'CB-07-0019');
      expectFailure(await change('account', [action], superadmin), 'CB-07-0019');
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

  it('are not for roles that hold everything', async () => {
    const second = await signedInAs(test, 'admin', org);
    const params = { userId: second.userId, key: 'sim' as const };
    expectFailure(
      await admin.call(account.changePermission, { params, body: { actions: [] } }),
      'CB-07-0022',
    );
    const { body } = await admin.call(account.getPermissions, by(second));
    expect(body.data).toMatchObject({ changeable: false, effective: { '*': ['all'] } });
  });

  it('do not let their holder rise: an operator with all that can be given manages nobody', async () => {
    const riser = await signedInAs(test, 'operator', org);
    for (const key of permissionKeys) {
      const params = { userId: riser.userId, key };
      const actions = key === 'account' ? (['read'] as const) : (['all'] as const);
      await superadmin.call(account.changePermission, { params, body: { actions: [...actions] } });
    }
    for (const target of [riser, member, admin, superadmin]) {
      for (const attempt of everythingOn(target)) expectFailure(await attempt(riser), 'CB-00-0403');
    }
    const body = { email: 'friend@example.test', role: 'superadmin', language: 'en-US' } as const;
    expectFailure(await riser.call(endpoints.identity.invite, { body }), 'CB-00-0403');
    expect((await riser.call(account.get, within(org, admin))).http).toBe(200);
  });
});
