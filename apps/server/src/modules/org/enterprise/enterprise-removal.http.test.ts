import { endpoints } from '@simcube/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { signedInAs } from '../../../testing/app.ts';
import { editEnterprise, removeEnterprise, statusAndCode, testCustomer } from '../../../testing/customer.ts';
import { makeSim } from '../../../testing/inventory.ts';
import type { TestOrganisation } from '../../../testing/organisations.ts';
import { makePool } from '../../../testing/pools.ts';

const { getEnterprise } = endpoints.org;
const { test, customer, stranger, root, admin, user, below, join, lastEntry } = await testCustomer();

afterAll(() => test.close());

describe('a deletion', () => {
  it('deletes memberships and invitations, and keeps people and the audit trail', async () => {
    const branch = await below(customer);
    const only = await signedInAs(test, 'user', branch);
    const elsewhere = await below(customer);
    await join(only, elsewhere, 'user');
    const { pool } = test.database;
    await pool.query(
      `insert into invitations (org_id, email, locale, role, token_hash, expires_at)
       values ($1, 'x@example.test', 'en-US', 'user', '\\x01', '2026-11-28')`,
      [branch.id],
    );
    await pool.query('insert into org_sim_counts (org_id, lifecycle, sims) values ($1, 10, 0)', [branch.id]);
    await editEnterprise(admin, branch, { country: 'FR' });
    expect(statusAndCode(await removeEnterprise(admin, branch))).toEqual([200, 'CB-00-0000']);
    const left = async (table: string) =>
      (await pool.query(`select 1 from ${table} where org_id = $1`, [branch.id])).rowCount;
    expect([await left('memberships'), await left('invitations'), await left('org_sim_counts')]).toEqual([
      0, 0, 0,
    ]);
    expect(await lastEntry(branch.id)).toMatchObject({ action: 'organisation.updated' });
    expect(await lastEntry(customer.id)).toMatchObject({
      action: 'organisation.deleted',
      actor_id: admin.userId,
      subject_id: String(branch.id),
      before: { code: branch.code, accounts: 1 },
      after: null,
    });
    // It was the default of a person with another one: sign-ins now begin there.
    const { rows } = await pool.query('select org_id, is_default from memberships where user_id = $1', [
      only.userId,
    ]);
    expect(rows).toEqual([{ org_id: elsewhere.id, is_default: true }]);
    expect(statusAndCode(await removeEnterprise(admin, branch))).toEqual([404, 'CB-07-0029']);
    expect(statusAndCode(await only.call(getEnterprise, { params: { orgCode: branch.code } }))).toEqual([
      403,
      'CB-07-0008',
    ]);
  });

  it('takes along the rules that watch usage', async () => {
    const branch = await below(customer);
    const boss = await signedInAs(test, 'admin', branch);
    const rule = await boss.call(endpoints.autoflow.create, {
      body: {
        name: 'Heavy use',
        trigger: { kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount: 10 } },
        scope: { kind: 'all' },
        actions: [{ kind: 'suspend' }],
        enabled: true,
        active_from: null,
        active_until: null,
        group_minutes: null,
      },
    });
    expect(rule.body.status.code).toBe('CB-00-0000');
    expect(statusAndCode(await removeEnterprise(admin, branch))).toEqual([200, 'CB-00-0000']);
  });

  it('keeps people without any organisation', async () => {
    const branch = await below(customer);
    const only = await signedInAs(test, 'user', branch);
    expect((await removeEnterprise(admin, branch)).http).toBe(200);
    expect((await only.call(endpoints.org.listMine)).body.data).toEqual([]);
  });

  it('is refused for SIMs, orders, sub-organisations, pools and bills alone: all else goes along', async () => {
    const { rows } = await test.database.pool.query(
      `select conrelid::regclass::text as name from pg_constraint
       where confrelid = 'organisations'::regclass and confdeltype = 'a' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      ...['bill_months', 'bill_payments', 'bills', 'bundle_orders', 'organisations', 'pools', 'sims'],
    ]);
  });

  it.each<[string, (org: TestOrganisation) => Promise<unknown>]>([
    ['SIMs', (org) => makeSim(test.database.pool, org.id, {})],
    ['sub-organisations', (org) => below(org)],
    [
      'running tasks',
      (org) =>
        test.database.pool.query(
          `insert into tasks (org_id, user_id, type, quantity, started_at, moved_at)
           values ($1, $2, 'sim.suspend', 1, now(), now())`,
          [org.id, admin.userId],
        ),
    ],
    [
      'bundle orders',
      async (org) => {
        const { pool } = test.database;
        const { id } = await makeSim(pool, customer.id, {});
        await pool.query(
          `with made as (
             insert into bundles (code, name, sku, type, overage_policy, reset_cycle)
             values ('B1', 'B1', 'B1', 'test plan', 'stop', 'month') returning id)
           insert into bundle_orders (sim_id, org_id, bundle_id, status) select $1, $2, id, 'pending' from made`,
          [id, org.id],
        );
      },
    ],
    ['shared pools', (org) => makePool(test.database.pool, org.id, { now: test.clock.now() })],
  ])('is refused while it has %s', async (what, hang) => {
    const branch = await below(customer);
    await signedInAs(test, 'user', branch);
    await hang(branch);
    const { http, body } = await removeEnterprise(admin, branch);
    expect([http, body.status.code, body.resultCode]).toEqual([409, 'CB-07-0132', '0132']);
    expect(body.status.message).toContain(what);
    const { rows } = await test.database.pool.query('select 1 from memberships where org_id = $1', [
      branch.id,
    ]);
    expect(rows).toHaveLength(1);
  });

  it('requires an admin of an organisation above', async () => {
    const branch = await below(customer);
    expect(statusAndCode(await removeEnterprise(user, branch))).toEqual([403, 'CB-07-0134']);
    const boss = await signedInAs(test, 'admin', branch);
    const refused = await removeEnterprise(boss, branch);
    expect(statusAndCode(refused)).toEqual([409, 'CB-07-0132']);
    expect(refused.body.status.message).toContain('switch to an organisation above it');
    const guest = await signedInAs(test, 'admin', stranger);
    await join(guest, branch, 'admin');
    expect(statusAndCode(await removeEnterprise(guest, branch))).toEqual([403, 'CB-07-0134']);
    for (const code of ['STRANGER', 'OPERATOR', 'NOBODY']) {
      expect(statusAndCode(await removeEnterprise(admin, { code }))).toEqual([404, 'CB-07-0029']);
    }
    expect((await removeEnterprise(root, branch)).http).toBe(200);
  });
});
