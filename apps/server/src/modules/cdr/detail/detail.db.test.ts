import type { CdrId } from '@simcube/contract/cdr';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeUsageSims, sourceOf, type UsageSim } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { createUpcomingPartitions, importCdrs } from '../../usage/index.ts';
import { readDetail } from './detail.views.ts';

const clock = new FixedClock('2028-03-04T12:00:00Z');
let database: Database;
let sims: readonly UsageSim[];

beforeAll(async () => {
  database = await testDatabase();
  await createUpcomingPartitions(database.pool, clock.now());
  sims = await makeUsageSims(database.pool);
});
afterAll(() => database.close());

const recordsOf = async (sim: UsageSim): Promise<CdrId[]> => {
  const { rows } = await database.pool.query<{ id: CdrId }>(
    `select $2 || '-' || (extract(epoch from ended_at) * 1000000)::bigint || '-' || dedupe_key as id
     from cdrs where sim_id = $1 order by ended_at`,
    [sim.id, sim.iccid],
  );
  return rows.map(({ id }) => id);
};

it('a record that is opened has no limit for a former owner: it is what the new one has bought since', async () => {
  const { pool, db } = database;
  const [sim, , other] = sims;
  if (!sim || !other) throw new Error('There are SIMs');
  const file = `iccid,ended_at,up_bytes,down_bytes\n${sim.iccid},2028-03-02T08:00:00Z,5,1`;
  await importCdrs({ countForPools: addToPools, pool, clock, source: sourceOf(file) });
  await pool.query(
    `update sim_live set cycle_started_at = '2028-03-01Z', cycle_ends_at = '2028-04-01Z', limit_bytes = 777
     where sim_id = $1`,
    [sim.id],
  );
  const [id = '' as CdrId] = await recordsOf(sim);
  const counted = async (orgId: number) =>
    (await readDetail({ db, pool }, { orgId, id, now: clock.now() })).counted;
  expect(await counted(sim.orgId)).toMatchObject({ used_after_bytes: 6, limit_bytes: 777 });
  await pool.query(
    `with past as (
       insert into sim_ownerships (sim_id, number, org_id, since, until) values ($1, 0, $2, '-infinity', '2028-03-03Z'))
     update sims set org_id = $3, ownership = 1, owned_since = '2028-03-03Z' where id = $1`,
    [sim.id, sim.orgId, other.orgId],
  );
  expect(await counted(sim.orgId)).toMatchObject({ used_after_bytes: 6, limit_bytes: null });
  await expect(counted(other.orgId)).rejects.toMatchObject({ code: 'CB-01-0031' });
});

it('a record has no position in a session that is longer than the records that are counted', async () => {
  const { pool, db } = database;
  const [, sim] = sims;
  if (!sim) throw new Error('There are SIMs');
  const lines = ['2028-03-02T08:00:00Z', '2028-03-02T09:00:00Z'].map((at) => `${sim.iccid},s1,${at},5,1`);
  const file = ['iccid,session_id,ended_at,up_bytes,down_bytes', ...lines].join('\n');
  await importCdrs({ countForPools: addToPools, pool, clock, source: sourceOf(file) });
  const [, id = '' as CdrId] = await recordsOf(sim);
  const position = async () => {
    const { network_side } = await readDetail({ db, pool }, { orgId: sim.orgId, id, now: clock.now() });
    return [network_side.update, network_side.updates, network_side.seconds_after];
  };
  expect(await position()).toEqual([2, 2, 3600]);
  const began = (startedAt: string, updatedAt: string) =>
    pool.query(
      `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id,
         started_at, updated_at, up_bytes, down_bytes)
       select distinct sim_id, session_key, org_id, 1, 'gateway', '10.0.0.1'::inet, 's1', $2::timestamptz, $3::timestamptz, 10, 2
       from cdrs where sim_id = $1
       on conflict (sim_id, session_key) do update set started_at = excluded.started_at, updated_at = excluded.updated_at`,
      [sim.id, startedAt, updatedAt],
    );
  await began('2028-02-02T08:00:00Z', '2028-03-02T09:00:00Z');
  expect(await position()).toEqual([2, 2, 3600]);
  await began('2028-01-31T08:00:00Z', '2028-03-02T09:00:00Z');
  expect(await position()).toEqual([null, null, 3600]);
  await began('2028-03-02T08:00:00Z', '2028-04-03T09:00:00Z');
  expect(await position()).toEqual([null, null, 3600]);
});
