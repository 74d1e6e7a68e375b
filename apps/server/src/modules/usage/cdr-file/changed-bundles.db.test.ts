import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { fileOf, makeUsageSims, sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { importCdrs } from '../index.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('an import counts by the bundle that a SIM has when its records are counted', async () => {
  const { pool } = database;
  const [sim] = await makeUsageSims(pool);
  const bundle = await pool.query<{ id: number }>(
    `insert into bundles (code, name, sku, type, overage_policy, reset_cycle)
     values ('daily', 'Daily', 'D', 'postpaid flow', 'billing', 'day') returning id`,
  );
  const records = Array.from({ length: 12 }, (_, index) => ({
    sim,
    id: `r${index}`,
    up: 0,
    down: 10,
    mnc: 1,
    radio: 3,
    endedAt: Date.parse('2026-11-21T10:00:00Z') + index * 1000,
  }));
  let isChanged = false;
  const changeBundle = async () => {
    if (isChanged) return;
    isChanged = true;
    await pool.query('update sims set bundle_id = $2 where id = $1', [sim.id, bundle.rows[0]?.id]);
    await pool.query(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status, activated_at, ordered_at)
       values ($1, $2, $3, 'in use', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z')`,
      [sim.id, sim.orgId, bundle.rows[0]?.id],
    );
    // As an order does: the cycle of the new bundle begins with it.
    await pool.query(
      `update sim_live set used_bytes = 0, cycle_started_at = '2026-11-21T00:00:00Z', cycle_ends_at = '2026-11-21T16:00:00Z'
       where sim_id = $1`,
      [sim.id],
    );
  };
  await importCdrs({
    countForPools: addToPools,
    pool,
    clock,
    source: sourceOf(fileOf(records), 64),
    chunkRows: 1,
    onProgress: changeBundle,
  });
  const { rows } = await pool.query('select cycle_ends_at as ends from sim_live where sim_id = $1', [sim.id]);
  expect(rows).toEqual([{ ends: new Date('2026-11-21T16:00:00Z') }]);
});
