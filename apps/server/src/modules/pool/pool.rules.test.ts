import { dayMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import {
  contributionOf,
  daysLeft,
  daysOf,
  forecastDays,
  forecastOf,
  forecastSince,
  poolCycleAt,
  poolCycles,
  shardThresholds,
} from './pool.rules.ts';

const createdAt = new Date('2026-01-15T03:00:00Z');
const cycleOf = (at: string) => poolCycleAt({ resetCycle: 'month', createdAt }, new Date(at));
const instants = fc.date({
  min: new Date('2026-02-01T00:00:00Z'),
  max: new Date('2032-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const resetCycles = fc.constantFrom('day', 'month', 'full month', 'full year');

describe('cycles of a pool', () => {
  it('are whole calendar months at UTC+8, the first one too', () => {
    expect(cycleOf('2026-01-15T03:00:00Z')).toEqual({
      startedAt: new Date('2025-12-31T16:00:00Z'),
      endsAt: new Date('2026-01-31T16:00:00Z'),
    });
  });

  it('of full months and years begin with the day on which the pool was created', () => {
    const at = new Date('2026-02-20T00:00:00Z');
    const [month, year] = (['full month', 'full year'] as const).map((resetCycle) =>
      poolCycleAt({ resetCycle, createdAt: new Date('2026-01-14T16:00:00Z') }, at),
    );
    expect(month).toEqual({
      startedAt: new Date('2026-02-14T16:00:00Z'),
      endsAt: new Date('2026-03-14T16:00:00Z'),
    });
    expect(year).toEqual({
      startedAt: new Date('2026-01-14T16:00:00Z'),
      endsAt: new Date('2027-01-14T16:00:00Z'),
    });
  });

  it('have their business days, the last one included', () => {
    const days = daysOf(cycleOf('2028-02-10T00:00:00Z'));
    expect([days.length, days[0], days[1], days.at(-1)]).toEqual([
      ...[29, '2028-02-01', '2028-02-02', '2028-02-29'],
    ]);
  });

  it('up to an instant include the one that begins then', () => {
    const [from, until] = [new Date('2026-02-10T00:00:00Z'), cycleOf('2026-02-10T00:00:00Z').endsAt];
    const count = (to: Date) => poolCycles({ resetCycle: 'month', createdAt }, { from, until: to }).length;
    expect([count(new Date(until.getTime() - 1)), count(until)]).toEqual([1, 2]);
  });

  it('hold each instant once, follow one another and begin with a day', () => {
    fc.assert(
      fc.property(resetCycles, instants, (resetCycle, at) => {
        const pool = { resetCycle, createdAt } as const;
        const until = new Date(at.getTime() + 400 * dayMs);
        const cycles = poolCycles(pool, { from: at, until });
        expect(cycles[0]?.startedAt.getTime()).toBeLessThanOrEqual(at.getTime());
        expect(cycles.at(-1)?.endsAt.getTime()).toBeGreaterThan(until.getTime());
        for (const [index, { startedAt, endsAt }] of cycles.entries()) {
          expect(endsAt.getTime()).toBeGreaterThan(startedAt.getTime());
          expect(startedAt).toEqual(cycles[index - 1]?.endsAt ?? startedAt);
          expect(startedAt).toEqual(dashboardDays.startOf(dashboardDays.dayOf(startedAt)));
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('the contribution of a member', () => {
  const gib = 2 ** 30;
  const member = (rule: 'standard' | 'pro-rata', at: string, hasContributed = false) =>
    contributionOf({ rule, baseBytes: gib, cycle: cycleOf(at), at: new Date(at), hasContributed });
  const first = (at: string) => member('pro-rata', at)[0]?.bytes;

  it.each([
    ['the 16th of 31 days', '2026-10-16T05:00:00Z', 554_189_328],
    ['the first day', '2026-10-01T05:00:00Z', gib],
    ['the last day', '2026-10-31T05:00:00Z', Math.floor(gib / 31)],
    ['the 29th of February in a leap year', '2028-02-29T05:00:00Z', Math.floor(gib / 29)],
    ['the 28th of February in another year', '2027-02-28T05:00:00Z', Math.floor(gib / 28)],
    ['a day that begins in the evening before (UTC)', '2026-10-15T16:00:00Z', 554_189_328],
    ['the minute before', '2026-10-15T15:59:59Z', Math.floor((gib * 17) / 31)],
  ])('by pro-rata is the share of the days left on %s', (_, at, bytes) => {
    expect(first(at)).toBe(bytes);
  });

  it('is whole in the second cycle, and under "standard" in the first', () => {
    const at = '2026-10-16T05:00:00Z';
    const { startedAt, endsAt } = cycleOf(at);
    expect(member('pro-rata', at)[1]).toEqual({
      kind: 'standard',
      bytes: gib,
      fromAt: endsAt,
      untilAt: null,
    });
    expect(member('standard', at)).toEqual([
      { kind: 'standard', bytes: gib, fromAt: startedAt, untilAt: null },
    ]);
  });

  it('by pro-rata on the first day of a cycle is whole from then on', () => {
    const at = '2026-09-30T16:00:00Z';
    expect(member('pro-rata', at)).toEqual(member('standard', at));
    expect(member('pro-rata', '2026-10-01T16:00:00Z')).toHaveLength(2);
  });

  it('is not given a second time to the same cycle', () => {
    const at = '2026-10-16T05:00:00Z';
    for (const rule of ['standard', 'pro-rata'] as const)
      expect(member(rule, at, true).map(({ fromAt }) => fromAt)).toEqual([cycleOf(at).endsAt]);
  });

  it('is never nothing, never more than whole, and never grows with the day, in any cycle', () => {
    fc.assert(
      fc.property(
        resetCycles,
        instants,
        fc.integer({ min: 400, max: 2 ** 50 }),
        (resetCycle, at, baseBytes) => {
          const cycle = poolCycleAt({ resetCycle, createdAt }, at);
          const share = (instant: Date): number =>
            contributionOf({ rule: 'pro-rata', baseBytes, cycle, at: instant, hasContributed: false })[0]
              ?.bytes ?? 0;
          const bytes = share(at);
          expect(bytes).toBeGreaterThan(0);
          expect(bytes).toBeLessThanOrEqual(baseBytes);
          expect(share(cycle.startedAt)).toBe(baseBytes);
          const days = daysOf(cycle).length;
          expect(bytes).toBe(Number((BigInt(baseBytes) * BigInt(daysLeft(cycle, at))) / BigInt(days)));
          if (at.getTime() + dayMs < cycle.endsAt.getTime())
            expect(share(new Date(at.getTime() + dayMs))).toBeLessThan(bytes);
        },
      ),
    );
  });
});

describe('the thresholds of shards', () => {
  it('are all reached only beyond the limit, so that no crossing is missed', () => {
    const usage = fc.array(fc.integer({ min: 0, max: 2 ** 40 }), { minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(usage, fc.integer({ min: 16, max: 2 ** 41 }), (used, room) => {
        const shards = used.map((bytes, shard) => ({ shard, used: bytes }));
        const limit = used.reduce((sum, bytes) => sum + bytes, 0) + room;
        const wakes = shardThresholds(shards, limit);
        const asleep = shards.reduce((sum, { shard }) => sum + (wakes.get(shard) ?? 0) - 1, 0);
        expect(asleep).toBeLessThan(limit);
        for (const shard of shards) expect(wakes.get(shard.shard)).toBeGreaterThan(shard.used);
      }),
    );
  });
});

describe('the threshold of a shard', () => {
  it('is its usage and an equal part of what is left, at least an octet', () => {
    const shards = [10, 20, 0].map((used, shard) => ({ shard, used }));
    const limits = [99, 33, 32, 5];
    expect(limits.map((limit) => [...shardThresholds(shards, limit).values()])).toEqual([
      [33, 43, 23],
      ...[0, 1, 2].map(() => [11, 21, 1]),
    ]);
  });
});

describe('the forecast', () => {
  const now = new Date('2026-10-16T00:00:00Z');
  const endsAt = new Date('2026-10-26T00:00:00Z');

  it('continues the trend of the days before: the limit is used up where that line reaches it', () => {
    const forecast = forecastOf({ days: [100, 100, 100], used: 300, limit: 800, now, endsAt });
    expect(forecast).toMatchObject({ used: 1300, low: 1300, high: 1300, perDay: 100 });
    expect(forecast?.runsOutAt?.getTime()).toBeCloseTo(Date.parse('2026-10-21T00:00:00Z'), -3);
  });

  it('is empty before a day is over, and has no date when the limit suffices', () => {
    expect(forecastOf({ days: [], used: 10, limit: 800, now, endsAt })).toBeNull();
    expect(forecastOf({ days: [10], used: 10, limit: 800, now, endsAt })).toMatchObject({
      runsOutAt: null,
      earliestAt: null,
    });
  });

  it('has the middle 80 % of a normal distribution with the deviation of the days', () => {
    const of = (limit: number) => forecastOf({ days: [10, 20, 30], used: 60, limit, now, endsAt });
    expect(of(160)).toMatchObject({ used: 260, low: 219, high: 301, perDay: 20 });
    const daysTo = (at: Date | null | undefined) => ((at?.getTime() ?? 0) - now.getTime()) / dayMs;
    const { runsOutAt, earliestAt, latestAt } = of(160) ?? {};
    expect(daysTo(runsOutAt)).toBeCloseTo(5, 6);
    // Where 20 t ± 1.2816 √(100 t) is 100.
    expect(daysTo(earliestAt)).toBeCloseTo(3.7578, 3);
    expect(daysTo(latestAt)).toBeCloseTo(6.6528, 3);
    expect(of(280)).toMatchObject({ runsOutAt: null, latestAt: null });
    expect(of(280)?.earliestAt).not.toBeNull();
  });

  it('reaches a limit with the end of the cycle at the latest, and one that is exceeded now', () => {
    const of = (limit: number, at = now) =>
      forecastOf({ days: [20, 20], used: 60, limit, now: at, endsAt })?.runsOutAt;
    expect([of(260), of(261)]).toEqual([endsAt, null]);
    expect([of(60), of(10)]).toEqual([now, now]);
    const late = new Date(endsAt.getTime() + dayMs);
    expect([of(60, late), of(61, late)]).toEqual([late, null]);
  });

  it('continues four weeks, or the cycle of a pool that may stop SIMs', () => {
    const startedAt = new Date('2026-09-30T16:00:00Z');
    const since = (policy: 'no limit' | 'stop overage SIMs') => forecastSince({ policy, startedAt }, now);
    expect([since('no limit'), since('stop overage SIMs')]).toEqual(['2026-09-18', '2026-10-01']);
  });

  it('continues whole days of the pool that are over, from the first one with usage', () => {
    const created = new Date('2026-10-11T00:00:00Z');
    const days = (since: string, usage: Record<string, number>) =>
      forecastDays(new Map(Object.entries(usage)), { since, createdAt: created, now });
    const usage = { '2026-10-11': 1, '2026-10-13': 3, '2026-10-15': 5, '2026-10-16': 6 };
    expect(days('2026-09-01', usage)).toEqual([3, 0, 5]);
    expect(days('2026-10-14', usage)).toEqual([5]);
    expect(days('2026-09-01', { '2026-10-13': 1 })).toEqual([1, 0, 0]);
    expect(days('2026-10-14', {})).toEqual([0, 0]);
    expect(days('2026-10-16', usage)).toEqual([]);
  });

  it('has a band around the expected figure that widens with the deviation of the days', () => {
    const days = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 2, maxLength: 31 });
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 1_000_000 }), (past, limit) => {
        const used = past.reduce((sum, bytes) => sum + bytes, 0);
        const forecast = forecastOf({ days: past, used, limit, now, endsAt });
        if (!forecast) throw new Error('There is a day');
        expect(forecast.low).toBeGreaterThanOrEqual(used);
        expect(forecast.low).toBeLessThanOrEqual(forecast.used);
        expect(forecast.used).toBeLessThanOrEqual(forecast.high);
        const { earliestAt, runsOutAt } = forecast;
        if (runsOutAt) expect(earliestAt?.getTime()).toBeLessThanOrEqual(runsOutAt.getTime() + 1);
      }),
    );
  });
});
