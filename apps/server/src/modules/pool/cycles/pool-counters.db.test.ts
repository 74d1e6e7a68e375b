import { dayMs, hourMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { readPage } from '../../../platform/lists/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { expectPoolsVerified, makePool, type TestPool } from '../../../testing/pools.ts';
import { fileOf, makeUsageSims, sourceOf, type UsageSim } from '../../../testing/usage-records.ts';
import { createUpcomingPartitions, importCdrs } from '../../usage/index.ts';
import { addToPools } from '../index.ts';
import { memberList } from '../membership/member.views.ts';
import { exitSims } from '../membership/membership.service.ts';
import { findCycle, sumShards } from './cycle.views.ts';
import { readBarChart, readLineChart } from './figures.views.ts';

/** Counts records while SIMs join and leave, over a leap day and a month's end, and compares with a count record by record. */

const now = new Date('2028-03-04T10:20:00Z');
const first = Date.parse('2028-02-26T00:00:00Z');
const clock = new FixedClock(now.toISOString());
let database: Database;
let sims: readonly UsageSim[];
let pools: readonly TestPool[];

beforeAll(async () => {
  database = await testDatabase();
  for (const at of ['2028-02-01', '2028-03-01']) await createUpcomingPartitions(database.pool, new Date(at));
  sims = await makeUsageSims(database.pool);
  const make = (name: string) =>
    makePool(database.pool, sims[0]?.orgId ?? 0, { now: new Date(first - 30 * dayMs), name, bundle: name });
  pools = [await make('Trucks'), await make('Vans')];
  // Orders of both bundles, so that each membership is active immediately.
  await database.pool.query(
    `insert into bundle_orders (sim_id, org_id, bundle_id, status, activated_at)
     select s.id, s.org_id, b.id, 'in use', $2 from sims s, bundles b where s.id = any($1) and b.code in ('Trucks', 'Vans')`,
    [sims.map(({ id }) => id), new Date(first - 30 * dayMs)],
  );
});
afterAll(() => database.close());

interface One {
  sim: number;
  endedAt: number;
  up: number;
}

const places = (now.getTime() - first) / (10 * 60_000);
const record: fc.Arbitrary<One> = fc.record({
  sim: fc.nat({ max: 1 }),
  // On the hour and within it, and at the ends of days and of the month (UTC+8).
  endedAt: fc.oneof(
    fc.nat({ max: places }).map((tens) => first + tens * 600_000),
    fc.constantFrom(
      ...['2028-02-28T16:00:00Z', '2028-02-29T15:59:59.999Z', '2028-02-29T16:00:00Z'].map(Date.parse),
    ),
  ),
  up: fc.integer({ min: 1, max: 1000 }),
});
const keyOf = (one: One): string => `${one.sim}-${one.endedAt}-${one.up}`;

/** A SIM joins or leaves a pool; then records with any time arrive, some of them repeated. */
const step = fc.record({
  sim: fc.nat({ max: 1 }),
  into: fc.constantFrom(0, 1, undefined),
  records: fc.array(record, { maxLength: 8 }),
});
const steps = fc.tuple(
  fc.array(step, { minLength: 2, maxLength: 7 }),
  fc.array(fc.nat({ max: places }), { minLength: 7, maxLength: 7 }),
);

const take = async (records: readonly One[]): Promise<void> => {
  const lines = records.map(({ sim, endedAt, up }) => ({
    sim: sims[sim] as UsageSim,
    id: keyOf({ sim, endedAt, up }),
    endedAt,
    up,
    down: 1,
    mnc: 2,
    radio: 3,
  }));
  const source = sourceOf(`${fileOf(lines)}#${Math.random()}\n`);
  await importCdrs({ pool: database.pool, clock, countForPools: addToPools, source });
};

interface Stay {
  simId: number;
  poolId: number;
  from: number;
  to: number;
}

const listStays = async (): Promise<Stay[]> =>
  (
    await database.pool.query<Stay>(
      `select sim_id as "simId", pool_id as "poolId", extract(epoch from enrolled_at)::float8 * 1000 as from,
         coalesce(extract(epoch from left_at)::float8 * 1000, 'infinity') as to from pool_members`,
    )
  ).rows;

const expectCounted = async (poolId: number, records: readonly One[]): Promise<void> => {
  const stays = (await listStays()).filter((stay) => stay.poolId === poolId);
  const counted = records.filter(({ sim, endedAt }) =>
    stays.some(({ simId, from, to }) => simId === sims[sim]?.id && from <= endedAt && endedAt < to),
  );
  const bytes = (some: readonly One[]) => some.reduce((sum, { up }) => sum + up + 1, 0);
  for (const at of [new Date('2028-02-29T00:00:00Z'), now]) {
    const cycle = await findCycle(database.pool, poolId, at);
    if (!cycle) throw new Error('There is a cycle');
    const own = counted.filter(
      ({ endedAt }) => endedAt >= cycle.startedAt.getTime() && endedAt < cycle.endsAt.getTime(),
    );
    expect(await sumShards(database.pool, poolId, cycle.startedAt)).toBe(bytes(own));
    const { days } = await readLineChart(database.pool, poolId, cycle, now);
    expect(days.map(({ up_bytes: up, down_bytes: down }) => up + down)).toEqual(
      days.map(({ day }) => bytes(own.filter((one) => dashboardDays.dayOf(new Date(one.endedAt)) === day))),
    );
    const scope = { poolId, cycleStart: cycle.startedAt.toISOString() };
    const page = { page_no: 1, page_size: 10 };
    const { data } = await readPage(database.db, memberList, { scope, now, filter: {}, page });
    for (const { iccid, used_bytes: used } of data) {
      expect(used).toBe(bytes(own.filter(({ sim }) => sims[sim]?.iccid === iccid)));
    }
  }
  const { hours } = await readBarChart(database.pool, poolId, '2028-02-29');
  expect(hours.map(({ up_bytes: up, down_bytes: down }) => up + down)).toEqual(
    hours.map(({ at }) =>
      bytes(counted.filter(({ endedAt }) => endedAt >= Date.parse(at) && endedAt < Date.parse(at) + hourMs)),
    ),
  );
};

describe('what pools have counted', () => {
  it('is each record of a member once, however many joined and left meanwhile: late, doubled and reordered ones, too', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async ([changes, times]) => {
        await database.pool.query(
          `truncate cdrs, usage_hourly, usage_daily, org_usage_hourly, org_usage_daily, usage_cycles, cdr_files,
             cdr_file_refusals, outbox, pool_members, pool_usage, pool_usage_hourly, pool_counters, pool_terms`,
        );
        await database.pool.query(
          'update sim_live set used_bytes = 0, cycle_started_at = null, cycle_ends_at = null',
        );
        const all = new Map<string, One>();
        const at = times.toSorted((a, b) => a - b).map((tens) => new Date(first + tens * 600_000));
        for (const [index, { sim, into, records }] of changes.entries()) {
          const simIds = [sims[sim]?.id ?? 0];
          const change = { simIds, now: at[index] ?? now };
          await inTransaction(database.pool, (tx) => exitSims(tx, { ...change, reason: 'ordered' }));
          if (into !== undefined) await pools[into]?.enrol(simIds, change.now);
          await take([...records, ...[...all.values()].slice(0, 2)]);
          for (const one of records) all.set(keyOf(one), one);
        }
        for (const { id } of pools) await expectCounted(id, [...all.values()]);
        await expectPoolsVerified(database.pool, now);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  }, 120_000);
});
