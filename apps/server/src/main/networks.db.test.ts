import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { testDatabase } from '../testing/database.ts';
import { updateNetworks } from './networks.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const outdatedCosts = async () =>
  (await database.pool.query('select sim_id from sim_costs where used_bytes > stands_to_bytes')).rowCount;

const outdatedDays = async () =>
  (await database.pool.query('select from heatmap_days where records = -1')).rowCount;

it('costs and the heatmap are marked for recomputation only when a network’s country has changed', async () => {
  const { pool } = database;
  await updateNetworks(pool);
  await pool.query('insert into sim_costs (sim_id, org_id, extra_bytes, used_bytes) values (1, 1, 0, 0)');
  await pool.query(
    `insert into heatmap_days (org_id, day_on, records, computed_at, took_ms) values (1, '2026-11-21', 5, now(), 1)`,
  );
  await updateNetworks(pool);
  expect([await outdatedCosts(), await outdatedDays()]).toEqual([0, 0]);
  await pool.query(`update networks set country = 'PR' where mcc = '310' and mnc = '260'`);
  await updateNetworks(pool);
  expect([await outdatedCosts(), await outdatedDays()]).toEqual([1, 1]);
  const { rows } = await pool.query(`select country from networks where mcc = '310' and mnc = '260'`);
  expect(rows).toEqual([{ country: 'US' }]);
});
