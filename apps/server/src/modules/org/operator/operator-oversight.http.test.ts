import { readFile } from 'node:fs/promises';
import { endpoints } from '@simcube/contract';
import { afterAll, expect, it } from 'vitest';
import { actingIn, expectFailure, freshEmail, testOperator } from '../../../testing/accounts.ts';
import { makeOrganisation, signedInAs } from '../../../testing/app.ts';

const { test, operator } = await testOperator();
const boss = await signedInAs(test, 'superadmin', operator);
const clerk = await signedInAs(test, 'admin', operator);

afterAll(() => test.close());

it('of the operator’s people, only the superadmin administers a customer created at the command line', async () => {
  const customer = await makeOrganisation(test, { code: 'direct', parentCode: operator.code });
  const below = await makeOrganisation(test, { code: 'below-direct', parentCode: customer.code });
  const there = actingIn(test, boss, customer);
  const invited = { email: freshEmail(), role: 'superadmin', language: 'en-US' } as const;
  expectFailure(await there.call(endpoints.identity.invite, { body: invited }), 'CB-07-0019');
  expect((await there.call(endpoints.identity.invite, { body: { ...invited, role: 'admin' } })).http).toBe(
    200,
  );
  for (const [who, org] of [
    [clerk, customer],
    [boss, below],
  ] as const) {
    expectFailure(await actingIn(test, who, org).call(endpoints.account.refreshPermissions), 'CB-07-0008');
  }
});

it('existing customers are administered after the upgrade of the installation', async () => {
  const customer = await makeOrganisation(test, { code: 'older', parentCode: operator.code });
  const { pool } = test.database;
  await pool.query('delete from memberships where org_id = $1', [customer.id]);
  const migration = new URL('../../../../migrations/0041_operator_oversight.sql', import.meta.url);
  await pool.query(await readFile(migration, 'utf8'));
  const { rows } = await pool.query('select user_id, role, is_default from memberships where org_id = $1', [
    customer.id,
  ]);
  expect(rows).toEqual([{ user_id: boss.userId, role: 'admin', is_default: false }]);
});

it('memberships by oversight are marked as such in the upgrade, but not that of the organisation’s creator', async () => {
  const { pool } = test.database;
  const customer = await makeOrganisation(test, { code: 'marked', parentCode: operator.code });
  const creator = await signedInAs(test, 'superadmin', customer);
  const overseer = await signedInAs(test, 'superadmin', customer);
  const body = { name: 'Marked Branch', country: 'DE', sms_quota: { kind: 'inherit' } } as const;
  const branch = (await creator.call(endpoints.org.create, { body })).body.data;
  await test.wiring.org.addMembership(pool, {
    userId: clerk.userId,
    orgId: Number(branch.id),
    role: 'admin',
    oversight: false,
  });
  await pool.query('alter table memberships drop column by_oversight');
  const migration = new URL('../../../../migrations/0880_memberships_by_oversight.sql', import.meta.url);
  await pool.query(await readFile(migration, 'utf8'));
  const { rows } = await pool.query('select user_id from memberships where org_id = $1 and by_oversight', [
    branch.id,
  ]);
  expect(rows).toEqual([{ user_id: overseer.userId }]);
});

it('the operator’s superadmin who is made the customer’s superadmin, too, oversees what is made below it', async () => {
  const customer = await makeOrganisation(test, { code: 'raised', parentCode: operator.code });
  const [joined, again] = [
    await test.wiring.org.makeSuperadmin(test.database.pool, { userId: boss.userId, orgId: customer.id }),
    await test.wiring.org.makeSuperadmin(test.database.pool, { userId: boss.userId, orgId: customer.id }),
  ];
  expect([joined, again]).toEqual([{ formerRole: 'admin' }, false]);
  const below = await makeOrganisation(test, { code: 'below-raised', parentCode: customer.code });
  const { call } = actingIn(test, boss, below);
  expect((await call(endpoints.account.refreshPermissions)).http).toBe(200);
});
