import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeUsageSims, sourceOf, type UsageSim } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { syncNetworks } from '../../sim/index.ts';
import { createUpcomingPartitions, importCdrs } from '../../usage/index.ts';
import { refreshCounts } from './counts.service.ts';

const clock = new FixedClock('2026-11-20T12:00:00Z');
let database: Database;
let sims: readonly UsageSim[];

beforeAll(async () => {
  database = await testDatabase();
  await createUpcomingPartitions(database.pool, clock.now());
  sims = await makeUsageSims(database.pool);
  await syncNetworks(database.pool);
});
afterAll(() => database.close());

const sessions = 400;

/** Adds a record of each session in an hour. */
const countHour = async (hour: string): Promise<void> => {
  const lines = Array.from(
    { length: sessions },
    (_, index) => `${sims[0]?.iccid},${hour}-${index},s${index},2026-11-20T${hour}:30:00Z,1,1,262,02,LTE,iot`,
  );
  const header = 'iccid,record_id,session_id,ended_at,up_bytes,down_bytes,mcc,mnc,rat,apn';
  const source = sourceOf([header, ...lines].join('\n'));
  await importCdrs({ countForPools: addToPools, pool: database.pool, clock, source });
  await refreshCounts({ pool: database.pool, clock, signal: new AbortController().signal });
};

/** How many entries of a session index were read. */
const entriesRead = async (index: string): Promise<number> => {
  const { rows } = await database.pool.query<{ read: number }>(
    `select coalesce(sum(idx_tup_read), 0)::int as read from pg_stat_user_indexes
     where relname = 'cdr_sessions' and indexrelname = $1`,
    [index],
  );
  return rows[0]?.read ?? 0;
};

describe('the sessions of an organisation that was created after the table was analysed', () => {
  it('are looked up one by one, not all at once for each record', async () => {
    const { pool } = database;
    await pool.query(
      'insert into cdr_sessions (org_id, sim_id, session_key, number) select 999, n, n, n from generate_series(1, 3000) n',
    );
    await pool.query('analyze cdr_sessions');
    await countHour('08');
    await countHour('09');
    await expect.poll(() => entriesRead('cdr_sessions_pkey')).toBeGreaterThanOrEqual(sessions);
    expect(await entriesRead('cdr_sessions_org_id_number_key')).toBeLessThan(sessions * 10);
  });
});
