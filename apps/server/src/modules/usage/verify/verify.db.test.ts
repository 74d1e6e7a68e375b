import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { clearUsage, fileOf, makeUsageSims, someRecords, sourceOf } from '../../../testing/usage-records.ts';
import { importCdrs } from '../index.ts';
import type { UsageDifference } from './verify.queries.ts';
import { verifyUsage } from './verify.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const database = await testDatabase();
const sims = await makeUsageSims(database.pool);
const [first] = sims;
afterAll(() => database.close());

beforeEach(async () => {
  await clearUsage(database.pool);
  const source = sourceOf(fileOf(someRecords(sims, 300, clock.now())));
  await importCdrs({ pool: database.pool, clock, source });
});

const verify = async () => {
  const differences: UsageDifference[] = [];
  const onDifference = (difference: UsageDifference) => differences.push(difference);
  const report = await verifyUsage({ pool: database.pool, now: clock.now(), onDifference });
  return { ...report, differences };
};
const spoil = (statement: string) => database.pool.query(statement, [first.id]);

describe('the comparison of CDRs, rollups and counters', () => {
  it('finds nothing where all say the same', async () => {
    expect(await verify()).toEqual({ sims: 3, differing: 0, differences: [] });
  });

  it('finds a counter that lacks usage, in the running cycle or a closed one', async () => {
    for (const table of ['sim_live', 'usage_cycles']) {
      await spoil(`update ${table} set used_bytes = used_bytes + 5 where sim_id = $1`);
      const { differing, differences } = await verify();
      expect([differing, differences.map(({ iccid, what }) => [iccid, what])]).toEqual([
        1,
        [[first.iccid, 'counters']],
      ]);
    }
  });

  it('compares the counters of a SIM whose first cycles are older than its records', async () => {
    await spoil(
      `insert into usage_cycles values ($1, '2025-01-01T00:00Z', '2025-02-01T00:00Z', 99),
         ($1, '2025-11-15T00:00Z', '2025-12-15T00:00Z', 77)`,
    );
    expect((await verify()).differing).toBe(0);
    await spoil('update sim_live set used_bytes = used_bytes - 5 where sim_id = $1');
    expect((await verify()).differences).toMatchObject([{ iccid: first.iccid, what: 'counters' }]);
  });

  it.each([
    ['usage_hourly', 'hours'],
    ['usage_daily', 'days'],
  ])('finds rows of %s that are wrong, missing or too many', async (table, what) => {
    const found = async () =>
      (await verify()).differences.map((difference) => [difference.iccid, difference.what]);
    await spoil(`update ${table} set up_bytes = up_bytes + 1 where sim_id = $1`);
    expect(await found()).toEqual([[first.iccid, what]]);
    await spoil(`delete from ${table} where sim_id = $1`);
    expect(await found()).toEqual([[first.iccid, what]]);
  });

  it('finds records that are counted nowhere', async () => {
    await spoil(
      `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, up_bytes, down_bytes, source)
       select sim_id, ended_at, dedupe_key + 1, started_at, org_id, 7, 0, 1 from cdrs where sim_id = $1 limit 1`,
    );
    expect((await verify()).differences.map(({ what }) => what)).toEqual(['counters', 'days', 'hours']);
  });
});
