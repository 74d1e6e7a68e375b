import { type ErrorCode, endpoints, headers, limits } from '@simcube/contract';
import type { SmsQuota } from '@simcube/contract/org';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unknownFields } from '../../../testing/accounts.ts';
import { clientOf, signedInAs, type TestClient } from '../../../testing/app.ts';
import { byCode, statusAndCode, testCustomer } from '../../../testing/customer.ts';
import { insertTestOrganisation, type TestOrganisation } from '../../../testing/organisations.ts';
import { enrolOverseers } from '../tree/org.queries.ts';

const { create, getEnterprise, listMine, verifySubOrganisations } = endpoints.org;
const { test, operator, customer, stranger, admin, audit } = await testCustomer();

afterAll(() => test.close());

describe('a new organisation', () => {
  const inherit: SmsQuota = { kind: 'inherit' };
  const wanted = { name: 'Customer North', country: 'FR', sms_quota: inherit };

  it('is created below the current one, with its creator as admin, and is listed', async () => {
    const { http, body } = await admin.call(create, { body: { ...wanted, name: '  Kühne & Söhne  ' } });
    expect(http).toBe(200);
    expect(body.data).toEqual({
      id: expect.any(String),
      code: 'KUHNE-SOHNE',
      name: 'Kühne & Söhne',
      country: 'FR',
      tenantId: expect.any(String),
      default: false,
      role: 'admin',
      logo: null,
      parent_code: 'CUSTOMER',
      created_at: expect.any(String),
    });
    const mine = await admin.call(listMine, { query: { search: 'kuhne' } });
    expect(mine.body.data).toEqual([{ ...body.data, above: [customer.code] }]);
    const there = clientOf(test, {
      ...admin,
      headers: {
        ...admin.headers,
        [headers.tenantId]: body.data.tenantId,
        [headers.partnerCode]: body.data.code,
      },
    });
    expect((await there.call(getEnterprise, byCode(body.data.code))).body.data).toMatchObject({
      role: 'admin',
      parent_name: 'CUSTOMER Limited',
    });
    expect((await audit(customer.id)).at(-1)).toMatchObject({
      action: 'organisation.created',
      actor_id: admin.userId,
      subject_kind: 'organisation',
      subject_id: body.data.id,
      before: null,
      after: { code: 'KUHNE-SOHNE', name: 'Kühne & Söhne', country: 'FR', admins: ['admin Tester'] },
    });
  });

  it('has those with oversight as admins too', async () => {
    const overseer = await signedInAs(test, 'user', customer);
    const disabled = await signedInAs(test, 'user', customer);
    const { pool } = test.database;
    await pool.query('update memberships set oversight = true where user_id = any ($1)', [
      [overseer.userId, disabled.userId],
    ]);
    await pool.query('update memberships set disabled_at = now() where user_id = $1', [disabled.userId]);
    const { body } = await admin.call(create, { body: { ...wanted, name: 'Overseen branch' } });
    const { rows } = await pool.query('select user_id, role from memberships where org_id = $1', [
      body.data.id,
    ]);
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ user_id: overseer.userId, role: 'admin' });
    expect(rows).toContainEqual({ user_id: admin.userId, role: 'admin' });
  });

  it('needs an admin', async () => {
    for (const role of ['user', 'operator'] as const) {
      const client = await signedInAs(test, role, customer);
      const answer = await client.call(create, { body: wanted });
      expect([...statusAndCode(answer), answer.body.resultCode]).toEqual([403, 'CB-07-0134', '0134']);
    }
  });

  it('needs a unique name below the same parent', async () => {
    const first = await admin.call(create, { body: { ...wanted, name: 'Only once' } });
    expect(first.http).toBe(200);
    const again = await admin.call(create, { body: { ...wanted, name: 'ONLY ONCE' } });
    expect([...statusAndCode(again), again.body.resultCode]).toEqual([409, 'CB-07-0135', '0135']);
    const elsewhere = await signedInAs(test, 'admin', stranger);
    const other = await elsewhere.call(create, { body: { ...wanted, name: 'Only once' } });
    expect(other.http).toBe(200);
    expect(other.body.data.code).toMatch(/^ONLY-ONCE-[2-9A-Z]{4}$/);
  });

  it.each<[string, object, string, string]>([
    ['a name that is too short', { name: 'Four' }, 'name', 'tooShort'],
    ['a name that is too long', { name: 'x'.repeat(41) }, 'name', 'tooLong'],
    ['a name of blanks', { name: '      ' }, 'name', 'tooShort'],
    ['a country of three letters', { country: 'DEU' }, 'country', 'invalidFormat'],
    ['a country that is none', { country: 'ZZ' }, 'country', 'notAllowed'],
    ['a quota of nothing', { sms_quota: { kind: 'custom', messages: 0 } }, 'sms_quota.messages', 'tooSmall'],
    [
      'a quota of a half',
      { sms_quota: { kind: 'custom', messages: 1.5 } },
      'sms_quota.messages',
      'invalidNumber',
    ],
  ])('is refused %s, at the field', async (_what, wrong, path, key) => {
    const { http, body } = await admin.call(create, {}, { raw: { body: { ...wanted, ...wrong } } });
    expect([http, body.status.code]).toEqual([400, 'CB-00-0400']);
    expect(body.status.detail?.issues).toEqual([expect.objectContaining({ path, key })]);
  });

  it('accepts no unknown fields of the body', async () => {
    const body = { ...wanted, name: 'Mass assignment' };
    const more = {
      code: 'CHOSEN',
      parent_id: 1,
      settlement: true,
      seat_limit: 9999,
      role: 'superadmin',
    };
    const refused = await admin.call(create, {}, { raw: { body: { ...body, ...more } } });
    expect(unknownFields(refused)).toEqual(Object.keys(more));
    const made = await admin.call(create, { body });
    const { rows } = await test.database.pool.query(
      `select o.code, o.parent_id, o.settlement, o.seat_limit, m.role from organisations o
       join memberships m on m.org_id = o.id and m.user_id = $2 where o.id = $1`,
      [made.body.data.id, admin.userId],
    );
    expect(rows).toEqual([
      { code: 'MASS-ASSIGNMENT', parent_id: customer.id, settlement: false, seat_limit: null, role: 'admin' },
    ]);
  });

  describe('below a parent with an SMS quota', () => {
    let parent: TestOrganisation;
    let boss: TestClient;
    const ask = async (name: string, quota: SmsQuota) =>
      boss.call(create, { body: { ...wanted, name, sms_quota: quota } });

    beforeAll(async () => {
      const above = await insertTestOrganisation(test.database.pool, {
        parentId: customer.id,
        quota: { kind: 'custom', messages: 100 },
      });
      parent = await insertTestOrganisation(test.database.pool, { parentId: above.id });
      boss = await signedInAs(test, 'admin', parent);
    });

    it('gets at most that quota', async () => {
      for (const quota of [
        { kind: 'custom', messages: 100 },
        { kind: 'none' },
        { kind: 'inherit' },
      ] as const) {
        const { body } = await ask(`With ${quota.kind}`, quota);
        const shown = await boss.call(getEnterprise, byCode(body.data.code));
        expect(shown.body.data.sms_quota).toEqual(quota);
        expect(shown.body.data.sms_quota_messages).toBe(quota.kind === 'none' ? 0 : 100);
      }
    });

    it.each<[SmsQuota, object]>([
      [
        { kind: 'custom', messages: 101 },
        { path: 'sms_quota.messages', key: 'tooBig', values: { max: 100 } },
      ],
      [{ kind: 'unlimited' }, { path: 'sms_quota.kind', key: 'notAllowed' }],
    ])('is refused %j', async (quota, issue) => {
      const { http, body } = await ask('Too much', quota);
      expect([http, body.status.code]).toEqual([400, 'CB-07-0030']);
      expect(body.status.detail?.issues).toEqual([expect.objectContaining(issue)]);
    });
  });

  it('is rejected at the parent’s maximum number', async () => {
    const parent = await insertTestOrganisation(test.database.pool, {
      parentId: customer.id,
      subOrganisations: 0,
    });
    const boss = await signedInAs(test, 'admin', parent);
    expect(statusAndCode(await boss.call(create, { body: wanted }))).toEqual([409, 'CB-07-0016']);
  });

  it('is refused below the deepest level', async () => {
    let { id } = operator;
    let org = operator;
    for (let level = 2; level <= limits.organisationLevels; level += 1) {
      org = await insertTestOrganisation(test.database.pool, { parentId: id });
      id = org.id;
    }
    const boss = await signedInAs(test, 'admin', org);
    expect(statusAndCode(await boss.call(create, { body: wanted }))).toEqual([409, 'CB-07-0016']);
    expect((await boss.call(verifySubOrganisations, byCode(org.code))).body.data).toMatchObject({
      allowed: false,
      limited_by: 'levels',
    });
  });

  it('is rejected for a creator with the maximum number of organisations', async () => {
    const busy = await signedInAs(test, 'admin', customer);
    for (let i = 1; i < limits.organisationsPerPerson; i += 1) {
      const org = await insertTestOrganisation(test.database.pool);
      const membership = { userId: busy.userId, orgId: org.id, role: 'user', oversight: false } as const;
      await test.wiring.org.addMembership(test.database.pool, membership);
    }
    const code: ErrorCode = 'CB-07-0023';
    expect(statusAndCode(await busy.call(create, { body: { ...wanted, name: 'One too many' } }))).toEqual([
      409,
      code,
    ]);
    expect((await busy.call(verifySubOrganisations, byCode('CUSTOMER'))).body.data).toMatchObject({
      allowed: false,
      limited_by: 'memberships',
    });
  });

  it('does not count those that its creator belongs to by oversight', async () => {
    const parent = await insertTestOrganisation(test.database.pool, { parentId: operator.id });
    const overseer = await signedInAs(test, 'superadmin', parent);
    for (let i = 0; i < limits.organisationsPerPerson; i += 1) {
      const { id } = await insertTestOrganisation(test.database.pool, { parentId: parent.id });
      await enrolOverseers(test.database.pool, id);
    }
    expect((await overseer.call(listMine)).body.total_count).toBe(limits.organisationsPerPerson + 1);
    expect((await overseer.call(verifySubOrganisations, byCode(parent.code))).body.data).toMatchObject({
      allowed: true,
      limited_by: null,
    });
    expect((await overseer.call(create, { body: { ...wanted, name: 'One of its own' } })).http).toBe(200);
  });
});
