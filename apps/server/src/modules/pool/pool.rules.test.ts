import { dayMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import {
  contributionOf,
  daysLeft,
  daysOf,
  forecastOf,
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
