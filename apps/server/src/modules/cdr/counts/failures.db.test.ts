import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { now } from '../../../testing/cdr-arbitraries.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { createUpcomingPartitions, importCdrs } from '../../usage/index.ts';
import { refreshCounts } from './counts.service.ts';

const clock = new FixedClock(now.toISOString());
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  await createUpcomingPartitions(database.pool, now);
});
afterAll(() => database.close());

it('an hour that cannot be computed does not stop later days and other organisations; the error is thrown at the end', async () => {
  const { pool } = database;
  const { rows: orgs } = await pool.query<{ id: number }>(
    `insert into organisations (code, name, country) values ('acme', 'Acme', 'DE'), ('other', 'Other', 'FR') returning id`,
  );
  const lines = ['iccid,record_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat'];
  for (const { id } of orgs) {
    const { iccid } = await makeSim(pool, id);
    for (const hours of [60, 30]) {
      const at = new Date(now.getTime() - hours * hourMs).toISOString();
      lines.push(`${iccid},${id}-${hours},${at},1,1,262,02,4G`);
    }
  }
  await importCdrs({ countForPools: addToPools, pool, clock, source: sourceOf(lines.join('\n')) });
  await pool.query(
    `create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`,
  );
  await pool.query(`create trigger refuse before insert on cdr_hours for each row
    when (new.org_id = ${orgs[0]?.id} and new.hour_at < '2028-03-02T12:00:00Z') execute function refuse()`);
  // Each day has a transaction of its own.
  const refresh = () => refreshCounts({ pool, clock, signal: new AbortController().signal, maxRecords: 1 });
  const counted = async () => {
    const { rows } = await pool.query<{ org_id: number }>('select org_id from cdr_hours order by org_id');
    return rows.map(({ org_id }) => orgs.findIndex(({ id }) => id === org_id));
  };
  await expect(refresh()).rejects.toThrow('refused');
  expect(await counted()).toEqual([0, 1, 1]);
  await pool.query('drop trigger refuse on cdr_hours');
  await refresh();
  expect(await counted()).toEqual([0, 0, 1, 1]);
});
