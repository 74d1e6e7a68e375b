import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { now } from '../../../testing/cdr-arbitraries.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { syncNetworks } from '../../sim/index.ts';
import { createUpcomingPartitions, importCdrs } from '../../usage/index.ts';
import { refreshCounts } from '../counts/counts.service.ts';
import { readSums } from './sums.views.ts';

const clock = new FixedClock(now.toISOString());
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  await createUpcomingPartitions(database.pool, now);
  await syncNetworks(database.pool);
});
afterAll(() => database.close());

it('SIMs and sessions of a country do not include those of a network that moved away, if another network remains', async () => {
  const { pool } = database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id`,
  );
  const orgId = rows[0]?.id ?? 0;
  const lines = ['iccid,record_id,session_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat'];
  for (const [index, mnc] of ['01', '01', '01', '10'].entries()) {
    const { iccid } = await makeSim(pool, orgId);
    const at = new Date(now.getTime() - (30 + index) * hourMs).toISOString();
    lines.push(`${iccid},${index},s${index},${at},100,1,208,${mnc},4G`);
  }
  await importCdrs({ countForPools: addToPools, pool, clock, source: sourceOf(lines.join('\n')) });
  const countries = async () => {
    await refreshCounts({ pool, clock, signal: new AbortController().signal });
    const filter = { from: '2028-03-01T00:00:00Z', to: now.toISOString() };
    const query = { scope: { orgId }, filter, now, groupings: ['country'] as const, before: false, few: 0 };
    const { groups } = await readSums(database.db, query);
    return groups.country?.map(({ key, records, sims, sessions }) => [key, records, sims, sessions]);
  };
  expect(await countries()).toEqual([['FR', 4, 4, 4]]);
  await pool.query(`update networks set country = 'BE' where plmn = 208001`);
  expect(await countries()).toEqual([
    ['BE', 3, 3, 3],
    ['FR', 1, 1, 1],
  ]);
});
