import { endpoints, limits } from '@simcube/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs } from '../../../testing/app.ts';
import { byCode, statusAndCode, testCustomer } from '../../../testing/customer.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';

const { chooseDefault, getEnterprise, getLimits, getSeats, listMine, verifySubOrganisations } = endpoints.org;
const { test, operator, customer, stranger, admin, user, audit } = await testCustomer();
const branch = await makeOrganisation(test, { code: 'BRANCH', parentCode: 'CUSTOMER' });

afterAll(() => test.close());

describe('an organisation and its settings', () => {
  it('are shown for the current one', async () => {
    const { http, body } = await admin.call(getEnterprise, byCode('CUSTOMER'));
    expect(http).toBe(200);
    expect(body.data).toEqual({
      id: String(customer.id),
      code: 'CUSTOMER',
      name: 'CUSTOMER Limited',
      country: 'DE',
      tenantId: customer.tenantId,
      role: 'admin',
      logo: null,
      parent_code: 'OPERATOR',
      created_at: expect.any(String),
      parent_name: 'OPERATOR Limited',
      first_level: true,
      settlement: true,
      name_fixed: false,
      sms_quota: { kind: 'inherit' },
      sms_quota_messages: null,
      sub_organisations: 1,
      security: {
        two_factor_required: false,
        session_idle_hours: 12,
        session_hours: 168,
        allowed_networks: [],
      },
    });
  });

  it('are shown without the rules for sign-ins to people who may not see accounts', async () => {
    const { body } = await user.call(getEnterprise, byCode('CUSTOMER'));
    expect(body.data).toMatchObject({ code: 'CUSTOMER', role: 'user', security: null });
    const reader = await signedInAs(test, 'operator', customer);
    await test.database.pool.query(
      `update memberships set permission_changes = '{"account": ["read"]}' where user_id = $1`,
      [reader.userId],
    );
    const seen = await reader.call(getEnterprise, byCode('CUSTOMER'));
    expect(seen.body.data.security).toMatchObject({ allowed_networks: [] });
  });

  it('are shown to an admin for organisations below, whatever the case of the code', async () => {
    const { body } = await admin.call(getEnterprise, byCode('branch'));
    expect(body.data).toMatchObject({
      code: 'BRANCH',
      role: 'admin',
      first_level: false,
      settlement: false,
      name_fixed: false,
    });
    const boss = await signedInAs(test, 'superadmin', operator);
    expect((await boss.call(getEnterprise, byCode('BRANCH'))).body.data).toMatchObject({ role: 'admin' });
  });

  it('are shown for other memberships of the person, with the role there', async () => {
    const guest = await signedInAs(test, 'user', customer);
    const membership = {
      userId: guest.userId,
      orgId: stranger.id,
      role: 'operator',
      oversight: false,
    } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
    const { body } = await guest.call(getEnterprise, byCode('STRANGER'));
    expect(body.data).toMatchObject({ code: 'STRANGER', role: 'operator', security: null });
    await test.database.pool.query(
      'update memberships set disabled_at = now() where user_id = $1 and org_id = $2',
      [guest.userId, stranger.id],
    );
    expect(statusAndCode(await guest.call(getEnterprise, byCode('STRANGER')))).toEqual([404, 'CB-07-0029']);
  });

  it('of another organisation require what it demands of its members', async () => {
    const guest = await signedInAs(test, 'admin', customer);
    const strict = await insertTestOrganisation(test.database.pool, { parentId: operator.id });
    const membership = { userId: guest.userId, orgId: strict.id, role: 'admin', oversight: false } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
    const demand = (assignment: string) =>
      test.database.pool.query(`update organisations set ${assignment} where id = $1`, [strict.id]);
    await demand('two_factor_required = true');
    expect(statusAndCode(await guest.call(getEnterprise, byCode(strict.code)))).toEqual([403, 'CB-07-0036']);
    await demand(`two_factor_required = false, allowed_networks = '{192.0.2.0/24}'`);
    const refused = await guest.call(getEnterprise, byCode(strict.code));
    expect(statusAndCode(refused)).toEqual([403, 'CB-07-0037']);
    expect(refused.body.status.message).toBe(
      `${strict.code} Limited does not allow access from your network address.`,
    );
    const edit = { body: { code: strict.code, country: 'FR' } };
    expect(statusAndCode(await guest.call(endpoints.org.updateEnterprise, edit))).toEqual([
      403,
      'CB-07-0037',
    ]);
  });

  it.each([getEnterprise, getLimits, getSeats, verifySubOrganisations])(
    '$id does not know any other',
    async (endpoint) => {
      for (const code of ['STRANGER', 'OPERATOR', 'NOBODY', "'", '%', ' ']) {
        expect(statusAndCode(await admin.call(endpoint, byCode(code))), code).toEqual([404, 'CB-07-0029']);
      }
      expect(statusAndCode(await user.call(endpoint, byCode('BRANCH')))).toEqual([404, 'CB-07-0029']);
    },
  );
});

describe('the remaining number', () => {
  it('of seats counts accounts, disabled ones too, and open invitations', async () => {
    const org = await insertTestOrganisation(test.database.pool, { parentId: customer.id, seats: 4 });
    const client = await signedInAs(test, 'user', org);
    const other = await signedInAs(test, 'user', org);
    const { pool } = test.database;
    await pool.query('update memberships set disabled_at = now() where user_id = $1', [other.userId]);
    const invite = (email: string, status: string, expiresAt: string) =>
      pool.query(
        `insert into invitations (org_id, email, locale, role, token_hash, status, expires_at)
         values ($1, $2, 'en-US', 'user', sha256($2::text::bytea), $3, $4)`,
        [org.id, email, status, expiresAt],
      );
    await invite('open@example.test', 'pending', '2026-11-28');
    await invite('past@example.test', 'pending', '2026-11-21T12:00:00Z');
    await invite('gone@example.test', 'revoked', '2026-11-28');
    const { body } = await client.call(getSeats, byCode(org.code));
    expect(body.data).toEqual({ limit: 4, used: 3, remaining: 1 });
    await pool.query('update organisations set seat_limit = 1 where id = $1', [org.id]);
    expect((await client.call(getSeats, byCode(org.code))).body.data).toEqual({
      limit: 1,
      used: 3,
      remaining: 0,
    });
  });

  it('of limits is the default where the operator set none', async () => {
    expect((await user.call(getLimits, byCode('CUSTOMER'))).body.data).toEqual({
      accounts: limits.seats,
      sub_organisations: limits.subOrganisations,
    });
  });

  it('of sub-organisations is returned with the maximum SMS quota', async () => {
    const org = await insertTestOrganisation(test.database.pool, {
      parentId: customer.id,
      subOrganisations: 1,
      quota: { kind: 'custom', messages: 500 },
    });
    const client = await signedInAs(test, 'user', org);
    const ask = async () => (await client.call(verifySubOrganisations, byCode(org.code))).body.data;
    expect(await ask()).toEqual({
      limit: 1,
      used: 0,
      remaining: 1,
      allowed: true,
      limited_by: null,
      sms_quota_messages: 500,
    });
    await insertTestOrganisation(test.database.pool, { parentId: org.id });
    expect(await ask()).toMatchObject({
      used: 1,
      remaining: 0,
      allowed: false,
      limited_by: 'sub_organisations',
    });
    await test.database.pool.query(
      `update organisations set sms_quota_kind = 'custom', sms_quota_messages = 20 where id = $1`,
      [customer.id],
    );
    expect(await ask()).toMatchObject({ sms_quota_messages: 20 });
    await test.database.pool.query(
      `update organisations set sms_quota_kind = 'inherit', sms_quota_messages = null where id = $1`,
      [customer.id],
    );
  });
});

describe('the organisations of a person', () => {
  it('name those above them to which the person belongs, however far up', async () => {
    const team = await makeOrganisation(test, { code: 'TEAM', parentCode: 'BRANCH' });
    const person = await signedInAs(test, 'admin', customer);
    const join = (orgId: number) =>
      test.wiring.org.addMembership(test.database.pool, {
        userId: person.userId,
        orgId,
        role: 'user',
        oversight: false,
      });
    await join(team.id);
    const above = async () => {
      const { data } = (await person.call(listMine)).body;
      return Object.fromEntries(data.map(({ code, above: codes }) => [code, codes]));
    };
    expect(await above()).toEqual({ CUSTOMER: [], TEAM: ['CUSTOMER'] });
    await join(branch.id);
    expect(await above()).toEqual({ CUSTOMER: [], BRANCH: ['CUSTOMER'], TEAM: ['BRANCH', 'CUSTOMER'] });
    await test.database.pool.query(
      'update memberships set disabled_at = now() where user_id = $1 and org_id = $2',
      [person.userId, branch.id],
    );
    expect(await above()).toEqual({ CUSTOMER: [], TEAM: ['CUSTOMER'] });
  });
});

describe('the default organisation', () => {
  const body = { default: true } as const;

  it('is one of the person’s own, and only one', async () => {
    const person = await signedInAs(test, 'user', customer);
    const membership = { userId: person.userId, orgId: branch.id, role: 'user', oversight: false } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
    const chosen = await person.call(chooseDefault, { params: { orgId: String(branch.id) }, body });
    expect(chosen.body.data).toMatchObject({ code: 'BRANCH', default: true, role: 'user' });
    const mine = await person.call(listMine);
    expect(mine.body.data.map((org) => [org.code, org.default])).toEqual([
      ['BRANCH', true],
      ['CUSTOMER', false],
    ]);
    const entries = await audit(branch.id);
    expect(entries.at(-1)).toMatchObject({ action: 'organisation.default-chosen', actor_id: person.userId });
    // A repetition changes and records nothing.
    await person.call(chooseDefault, { params: { orgId: String(branch.id) }, body });
    expect(await audit(branch.id)).toHaveLength(entries.length);
  });

  it('can’t be one where the person is not an enabled member', async () => {
    const person = await signedInAs(test, 'admin', customer);
    const choose = (orgId: number | string) =>
      person.call(chooseDefault, { params: { orgId: String(orgId) }, body });
    for (const orgId of [branch.id, stranger.id, 999_999_999, '999999999999999999']) {
      expect(statusAndCode(await choose(orgId))).toEqual([404, 'CB-07-0029']);
    }
    const membership = { userId: person.userId, orgId: branch.id, role: 'user', oversight: false } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
    await test.database.pool.query(
      'update memberships set disabled_at = now() where user_id = $1 and org_id = $2',
      [person.userId, branch.id],
    );
    expect(statusAndCode(await choose(branch.id))).toEqual([404, 'CB-07-0029']);
    expect((await person.call(listMine)).body.data.map(({ code }) => code)).toEqual(['CUSTOMER']);
  });
});
