import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Sql } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { databaseBefore } from '../../testing/former-schema.ts';
import { makeSim } from '../../testing/inventory.ts';
import { insertTestOrganisation } from '../../testing/organisations.ts';

const cycleEnd = '2026-12-01T00:00:00.000Z';

const columns = 'sim_id, org_id, cost_micros, cycle_ends_at';
const listKeys = async (sql: Sql) =>
  (await sql.query(`select ${columns} from sim_live_keys order by sim_id`)).rows;
/** Keys that differ from the live state, on either side. */
const listDiffering = async (sql: Sql): Promise<unknown[]> =>
  (
    await sql.query(
      `(select ${columns} from sim_live except all select ${columns} from sim_live_keys)
       union all (select ${columns} from sim_live_keys except all select ${columns} from sim_live)`,
    )
  ).rows;

describe('what SIMs are found by that sessions do not change', () => {
  let database: Database;
  let orgId: number;
  beforeAll(async () => {
    database = await testDatabase();
    orgId = (await insertTestOrganisation(database.pool)).id;
  });
  afterAll(() => database.close());

  it('follows cost, cycle and owner, and no session', async () => {
    const { pool } = database;
    await pool.query('delete from sim_live');
    const { id } = await makeSim(pool, orgId);
    expect(await listKeys(pool)).toEqual([
      { sim_id: id, org_id: orgId, cost_micros: -1, cycle_ends_at: null },
    ]);
    await pool.query('update sim_live set cost_micros = 5, cycle_ends_at = $2 where sim_id = $1', [
      id,
      cycleEnd,
    ]);
    const key = { sim_id: id, org_id: orgId, cost_micros: 5, cycle_ends_at: new Date(cycleEnd) };
    expect(await listKeys(pool)).toEqual([key]);
    const versionOf = async () => (await pool.query('select xmin::text from sim_live_keys')).rows;
    const version = await versionOf();
    await pool.query('update sim_live set connection = 2, cost_micros = 5 where sim_id = $1', [id]);
    expect(await versionOf()).toEqual(version);
    const other = (await insertTestOrganisation(pool)).id;
    await pool.query('update sim_live set org_id = $2 where sim_id = $1', [id, other]);
    await pool.query('update sim_live set cycle_ends_at = null where sim_id = $1', [id]);
    expect(await listKeys(pool)).toEqual([{ ...key, org_id: other, cycle_ends_at: null }]);
  });

  it('is gone with its SIM', async () => {
    const { pool } = database;
    const { id } = await makeSim(pool, orgId);
    await makeSim(pool, orgId);
    await pool.query('delete from sim_live where sim_id = $1', [id]);
    expect((await listKeys(pool)).map(({ sim_id }) => sim_id)).not.toContain(id);
    expect(await listDiffering(pool)).toEqual([]);
    await pool.query('truncate sim_live');
    expect(await listKeys(pool)).toEqual([]);
  });
});

describe('the same, when an installation is upgraded', () => {
  it('is that of the SIMs before, between and after the migrations, whichever version wrote them', async () => {
    const { pool, apply, close } = await databaseBefore('0550');
    try {
      const orgId = (await insertTestOrganisation(pool)).id;
      const ids: number[] = [];
      for (let made = 0; made < 5; made += 1) ids.push((await makeSim(pool, orgId)).id);
      await apply('0550_sim_live_keys.sql');
      await makeSim(pool, orgId);
      await pool.query('update sim_live set cost_micros = 7 where sim_id = $1', [ids[0]]);
      expect(await listKeys(pool)).toHaveLength(2);
      await apply('0551_sim_live_keys_of_before.sql', '0552_sim_live_without_keys.sql');
      await makeSim(pool, orgId);
      expect(await listDiffering(pool)).toEqual([]);
      expect(await listKeys(pool)).toHaveLength(7);
    } finally {
      await close();
    }
  });
});
