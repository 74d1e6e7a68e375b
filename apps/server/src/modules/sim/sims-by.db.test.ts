import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Sql } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { databaseBefore } from '../../testing/former-schema.ts';
import { makeSim } from '../../testing/inventory.ts';
import { simsBy } from './sims-by.rules.ts';

const makeOrg = async (sql: Sql): Promise<number> => {
  const { rows } = await sql.query<{ id: number }>(
    `insert into organisations (code, name, country) values ('acme', 'Acme', 'DE') returning id`,
  );
  return rows[0]?.id ?? 0;
};

/** Identifiers that differ from those of the SIMs themselves, on either side. */
const listDiffering = async (sql: Sql): Promise<unknown[]> => {
  const { rows } = await sql.query(
    `with own as (
       select id as sim_id, one.kind::smallint as kind, one.value
       from sims cross join lateral (values (1, iccid), (2, imsi), (3, msisdn)) as one (kind, value)
       where one.value is not null),
     kept as (select sim_id, kind, value from sim_identifiers)
     (select * from own except all select * from kept) union all (select * from kept except all select * from own)`,
  );
  return rows;
};

const find = async (sql: Sql, relation: string, value: string): Promise<number[]> =>
  (
    await sql.query<{ sim_id: number }>(`select sim_id from ${relation} i where value = $1 order by sim_id`, [
      value,
    ])
  ).rows.map((row) => row.sim_id);

describe('identifiers of SIMs', () => {
  let database: Database;
  let orgId: number;
  beforeAll(async () => {
    database = await testDatabase();
    orgId = await makeOrg(database.pool);
  });
  afterAll(() => database.close());

  it('name their SIM, each kind by itself', async () => {
    const { pool } = database;
    const number = '491700000001';
    const named = await makeSim(pool, orgId, { msisdn: number });
    const other = await makeSim(pool, orgId, { imsi: number });
    expect(await find(pool, simsBy('iccid'), named.iccid)).toEqual([named.id]);
    expect(await find(pool, simsBy('imsi'), number)).toEqual([other.id]);
    expect(await find(pool, simsBy('msisdn'), number)).toEqual([named.id]);
    expect(await find(pool, simsBy('iccid'), number)).toEqual([]);
    expect(await find(pool, simsBy('iccid', 'imsi'), number)).toEqual([other.id]);
    expect(await find(pool, simsBy(), number)).toEqual([named.id, other.id]);
    expect(await listDiffering(pool)).toEqual([]);
  });

  it('stay those of the SIM when it is changed, and are free when it is gone', async () => {
    const { pool } = database;
    const sim = await makeSim(pool, orgId, { msisdn: '491700000002' });
    await pool.query('update sims set msisdn = $2, notes = $3 where id = $1', [sim.id, '491700000003', 'x']);
    expect(await find(pool, simsBy(), '491700000002')).toEqual([]);
    expect(await find(pool, simsBy('msisdn'), '491700000003')).toEqual([sim.id]);
    await pool.query('update sims set msisdn = null where id = $1', [sim.id]);
    expect(await listDiffering(pool)).toEqual([]);
    await pool.query('delete from sim_live where sim_id = $1', [sim.id]);
    await pool.query('delete from sims where id = $1', [sim.id]);
    expect(await find(pool, simsBy(), sim.iccid)).toEqual([]);
    expect(await listDiffering(pool)).toEqual([]);
    await makeSim(pool, orgId, { iccid: sim.iccid, imsi: sim.imsi });
    expect(await listDiffering(pool)).toEqual([]);
  });

  it('are unique without the keys of sims, also between transactions that make SIMs at once', async () => {
    const { pool } = database;
    const [first, second] = [await pool.connect(), await pool.connect()];
    try {
      const drop = 'alter table sims drop constraint sims_iccid_key, drop constraint sims_imsi_key';
      await first.query(`${drop}, drop constraint sims_msisdn_key`);
      await first.query('begin');
      await second.query('begin');
      const sim = await makeSim(first, orgId, { imsi: '262070000000001' });
      const again = makeSim(second, orgId, { imsi: '262070000000001' });
      again.catch(() => undefined);
      await first.query('commit');
      await expect(again).rejects.toMatchObject({ code: '23505', table: 'sim_identifiers' });
      await second.query('rollback');
      expect(await find(pool, simsBy('imsi'), '262070000000001')).toEqual([sim.id]);
      expect(await listDiffering(pool)).toEqual([]);
    } finally {
      first.release();
      second.release();
    }
  });
});

describe('identifiers of SIMs, when an installation is upgraded', () => {
  it('are those of the SIMs before, between and after the migrations, whichever version wrote them', async () => {
    const { pool, apply, close } = await databaseBefore('0370');
    try {
      const orgId = await makeOrg(pool);
      for (let made = 0; made < 20; made += 1) {
        await makeSim(pool, orgId, made % 2 === 0 ? {} : { msisdn: String(491_800_000_000 + made) });
      }
      await apply('0370_sim_identifiers.sql');
      const between = await makeSim(pool, orgId, { msisdn: '491800001000' });
      expect(await find(pool, simsBy(), between.iccid)).toEqual([between.id]);
      await apply('0371_identifiers_of_known_sims.sql');
      await makeSim(pool, orgId);
      expect(await listDiffering(pool)).toEqual([]);
      const { rows } = await pool.query('select count(*)::int as identifiers from sim_identifiers');
      expect(rows).toEqual([{ identifiers: 22 * 2 + 11 }]);
    } finally {
      await close();
    }
  });
});
