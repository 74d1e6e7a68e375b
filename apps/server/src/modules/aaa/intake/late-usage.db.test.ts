import { readFile } from 'node:fs/promises';
import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { bundleOf, type TestSim, testBundles } from '../../../testing/bundles.ts';
import { testDatabase } from '../../../testing/database.ts';
import { testIntake } from '../../../testing/session-updates.ts';
import { usageSources } from '../../../testing/usage-sources.ts';
import type { Intake } from './intake.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const activatedAt = new Date('2026-11-18T03:00:00Z');
const resetCycles = ['day', '24h day', 'month', 'full month', 'full year'] as const;

const codeOf = (resetCycle: string): string => resetCycle.replace(' ', '-');

let database: Database;
let intake: Intake;
let org: Awaited<ReturnType<typeof testBundles>>;

beforeAll(async () => {
  database = await testDatabase();
  intake = await testIntake(database, clock);
  org = await testBundles(
    database,
    resetCycles.map((reset_cycle) =>
      bundleOf({ code: codeOf(reset_cycle), reset_cycle, overage_policy: 'billing', duration_days: 400 }),
    ),
  );
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});

const ways = usageSources(() => ({ database, intake, clock }));

/** Every cycle of a SIM, as its screen lists them: closed ones and the running one. */
const cyclesOf = async ({ id }: TestSim) =>
  (
    await database.pool.query<{ start: Date; end: Date; used: number; limit: number | null }>(
      `select cycle_started_at as start, cycle_ends_at as end, used_bytes as used, limit_bytes as limit
       from usage_cycles where sim_id = $1
       union all
       select cycle_started_at, cycle_ends_at, used_bytes, limit_bytes from sim_live where sim_id = $1
       order by 1, 2`,
      [id],
    )
  ).rows;

describe.each(Object.entries(ways))('usage from before the activation that arrives by %s', (_, use) => {
  it.each(resetCycles)('is counted in the first cycle and opens no second one (%s)', async (resetCycle) => {
    const sim = await org.sim('active');
    await org.order([sim], codeOf(resetCycle), activatedAt);
    await use(sim, new Date(activatedAt.getTime() + hourMs), 100);
    await use(sim, new Date(activatedAt.getTime() - 72 * hourMs), 7);
    await use(sim, new Date(activatedAt.getTime() + 2 * hourMs), 10);
    const cycles = await cyclesOf(sim);
    expect(cycles.map(({ used, limit }) => ({ used, limit }))).toEqual([{ used: 117, limit: 1000 }]);
  });

  it('is counted in the cycle of that time when there was one', async () => {
    const sim = await org.sim('active');
    await use(sim, new Date('2026-11-16T12:00:00Z'), 50);
    await org.order([sim], 'month', activatedAt);
    await use(sim, new Date(activatedAt.getTime() + hourMs), 100);
    await use(sim, new Date('2026-11-17T12:00:00Z'), 7);
    const [start, end] = [new Date('2026-10-31T16:00:00Z'), new Date('2026-11-30T16:00:00Z')];
    expect(await cyclesOf(sim)).toEqual([
      { start, end: activatedAt, used: 57, limit: null },
      { start: activatedAt, end, used: 100, limit: 1000 },
    ]);
  });

  it('is counted in the first cycle even if that is closed', async () => {
    const sim = await org.sim('active');
    await org.order([sim], '24h-day', activatedAt);
    await use(sim, new Date(activatedAt.getTime() + hourMs), 100);
    await use(sim, new Date(activatedAt.getTime() + 25 * hourMs), 10);
    await use(sim, new Date(activatedAt.getTime() - hourMs), 7);
    const cycles = await cyclesOf(sim);
    expect(cycles.map(({ used, limit }) => ({ used, limit }))).toEqual([
      { used: 107, limit: 1000 },
      { used: 10, limit: 1000 },
    ]);
  });
});

describe.each(Object.entries(ways))('a closed cycle that receives late usage by %s', (_, use) => {
  it('has the limit of its bundle, even if nothing had been counted in it', async () => {
    const sim = await org.sim('active');
    await org.order([sim], '24h-day', activatedAt);
    const day = (days: number) => new Date(activatedAt.getTime() + (days * 24 + 1) * hourMs);
    await use(sim, day(2), 10);
    await use(sim, day(1), 7);
    const cycles = await cyclesOf(sim);
    expect(cycles.map(({ used, limit }) => ({ used, limit }))).toEqual([
      { used: 0, limit: 1000 },
      { used: 7, limit: 1000 },
      { used: 10, limit: 1000 },
    ]);
  });

  it('keeps the limit that it was closed with', async () => {
    const sim = await org.sim('active');
    await org.order([sim], '24h-day', activatedAt);
    await database.pool.query('update sim_live set limit_bytes = 1300, extra_bytes = 300 where sim_id = $1', [
      sim.id,
    ]);
    await use(sim, new Date(activatedAt.getTime() + 1 * hourMs), 1200);
    await use(sim, new Date(activatedAt.getTime() + 25 * hourMs), 10);
    await use(sim, new Date(activatedAt.getTime() + 2 * hourMs), 7);
    const cycles = await cyclesOf(sim);
    expect(cycles.map(({ used, limit }) => ({ used, limit }))).toEqual([
      { used: 1207, limit: 1300 },
      { used: 10, limit: 1100 },
    ]);
  });
});

it('the upgrade of the installation merges cycles that were counted twice, and restores limits', async () => {
  const [twin, closed] = [await org.sim('active'), await org.sim('active')];
  await org.order([twin, closed], '24h-day', activatedAt);
  await ways.accounting(twin, activatedAt, 100);
  await database.pool.query(
    `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes)
     select sim_id, cycle_started_at, cycle_ends_at, 7 from sim_live where sim_id = $1
     union all
     select sim_id, cycle_started_at - interval '1 day', cycle_started_at, 5 from sim_live where sim_id = $1
     union all
     select sim_id, cycle_started_at + interval '1 day', cycle_ends_at + interval '1 day', 9 from sim_live where sim_id = $2`,
    [twin.id, closed.id],
  );
  const migration = new URL('../../../../migrations/0027_cycles_counted_twice.sql', import.meta.url);
  for (let time = 1; time <= 2; time += 1) {
    await database.pool.query(await readFile(migration, 'utf8'));
    const used = async (sim: TestSim) => (await cyclesOf(sim)).map((row) => [row.used, row.limit]);
    expect(await used(twin)).toEqual([
      [5, null],
      [107, 1000],
    ]);
    expect(await used(closed)).toEqual([
      [0, 1000],
      [9, 1000],
    ]);
  }
});
