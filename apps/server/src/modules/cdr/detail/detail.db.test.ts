import type { CdrId } from '@simcube/contract/cdr';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeUsageSims, sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { createUpcomingPartitions, importCdrs } from '../../usage/index.ts';
import { readDetail } from './detail.views.ts';

const clock = new FixedClock('2028-03-04T12:00:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
  await createUpcomingPartitions(database.pool, clock.now());
});
afterAll(() => database.close());

it('a record that is opened has no limit for a former owner: it is what the new one has bought since', async () => {
  const { pool, db } = database;
  const [sim, , other] = await makeUsageSims(pool);
  if (!sim || !other) throw new Error('There are SIMs');
  const file = `iccid,ended_at,up_bytes,down_bytes\n${sim.iccid},2028-03-02T08:00:00Z,5,1`;
  await importCdrs({ countForPools: addToPools, pool, clock, source: sourceOf(file) });
  await pool.query(
    `update sim_live set cycle_started_at = '2028-03-01Z', cycle_ends_at = '2028-04-01Z', limit_bytes = 777
     where sim_id = $1`,
    [sim.id],
  );
  const { rows } = await pool.query<{ id: CdrId }>(
    `select $2 || '-' || (extract(epoch from ended_at) * 1000000)::bigint || '-' || dedupe_key as id from cdrs where sim_id = $1`,
    [sim.id, sim.iccid],
  );
  const id = rows[0]?.id ?? ('' as CdrId);
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
