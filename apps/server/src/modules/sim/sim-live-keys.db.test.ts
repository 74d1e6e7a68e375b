import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Sql } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { databaseBefore } from '../../testing/former-schema.ts';
import { makeSim } from '../../testing/inventory.ts';
import { insertTestOrganisation } from '../../testing/organisations.ts';

const cycleEnd = '2026-12-01T00:00:00.000Z';
const later = '2026-12-02T00:00:00.000Z';

const columns = 'sim_id, org_id, cost_micros, cycle_ends_at';
const listKeys = async (sql: Sql) =>
  (await sql.query(`select ${columns} from sim_live_keys order by sim_id`)).rows;
/** Until when the data of a SIM, or of all, is stopped and slowed. */
const listRestricted = async (sql: Sql, simId?: number): Promise<(string | undefined)[][]> => {
  const instant = (column: string) =>
    `case when isfinite(${column}) then to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') else ${column}::text end`;
  const { rows } = await sql.query<{ stopped: string; slowed: string }>(
    `select ${instant('stopped_until')} as stopped, ${instant('slowed_until')} as slowed from sim_live_keys
     where $1::bigint is null or sim_id = $1 order by sim_id`,
    [simId],
  );
  return rows.map(({ stopped, slowed }) => [stopped, slowed]);
};
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

  it('follows until when data is stopped and slowed', async () => {
    const { pool } = database;
    const { id } = await makeSim(pool, orgId);
    const untilAfter = async (columns: string) => {
      await pool.query(`update sim_live set ${columns} where sim_id = $1`, [id]);
      return (await listRestricted(pool, id))[0];
    };
    expect(await untilAfter('used_bytes = 1')).toEqual(['-infinity', '-infinity']);
    expect(await untilAfter(`data_state = 2, cycle_ends_at = '${cycleEnd}'`)).toEqual([
      cycleEnd,
      '-infinity',
    ]);
    expect(await untilAfter('data_state = 1, rate_kbps = 256')).toEqual(['-infinity', cycleEnd]);
    expect(await untilAfter(`held_until = '${later}'`)).toEqual([later, cycleEnd]);
    expect(await untilAfter('held_kbps = 128')).toEqual(['-infinity', later]);
    expect(await untilAfter(`pool_stopped_until = '${cycleEnd}'`)).toEqual([cycleEnd, later]);
    expect(await untilAfter('data_state = 2, cycle_ends_at = null')).toEqual(['infinity', later]);
    expect(await untilAfter('data_state = 0, pool_stopped_until = null, held_until = null')).toEqual([
      '-infinity',
      '-infinity',
    ]);
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

  it('knows the SIMs that were restricted before, between and after the migrations', async () => {
    const { pool, apply, close } = await databaseBefore('0750');
    try {
      const orgId = (await insertTestOrganisation(pool)).id;
      const ids: number[] = [];
      for (let made = 0; made < 4; made += 1) ids.push((await makeSim(pool, orgId)).id);
      const hold = (id: number | undefined) =>
        pool.query('update sim_live set held_until = $2 where sim_id = $1', [id, later]);
      await hold(ids[0]);
      await pool.query(
        `update sim_live set data_state = 1, rate_kbps = 128, cycle_ends_at = $2 where sim_id = $1`,
        [ids[1], cycleEnd],
      );
      await apply('0750_restricted_data.sql');
      await hold(ids[2]);
      await apply('0751_restricted_data_of_before.sql');
      await hold(ids[3]);
      const stopped = [later, '-infinity'];
      expect(await listRestricted(pool)).toEqual([stopped, ['-infinity', cycleEnd], stopped, stopped]);
    } finally {
      await close();
    }
  });
});
