import type { PoolLineChart, PoolRealTime } from '@simcube/contract/pool';
import { dayMs } from '@simcube/contract/time';
import { expect, test } from 'vitest';
import { projectRemaining, remainingByDay } from './burn-down.ts';

const start = Date.parse('2026-10-31T16:00:00.000Z');
const end = Date.parse('2026-11-30T16:00:00.000Z');

const day = (used: number, limit: number) => ({
  day: '2026-11-01',
  up_bytes: 0,
  down_bytes: 0,
  records: 0,
  used_bytes: used,
  limit_bytes: limit,
  provisional: false,
});
const chart: PoolLineChart = {
  cycle_started_at: new Date(start).toISOString(),
  cycle_ends_at: new Date(end).toISOString(),
  days: [day(10, 100), day(30, 120), day(30, 120)],
};
const live: PoolRealTime = {
  used_bytes: 30,
  limit_bytes: 120,
  left_bytes: 90,
  over: false,
  today_bytes: 0,
  online_sims: 0,
  stopped_sims: 0,
  would_stop_sims: 0,
  overshoot_bytes: 0,
  forecast: {
    used_bytes: 150,
    low_bytes: 130,
    high_bytes: 190,
    per_day_bytes: 15,
    runs_out_at: null,
    earliest_at: null,
    latest_at: null,
  },
};

test('the remaining amount is known at the end of each finished day, and now', () => {
  const now = start + 2.5 * dayMs;
  expect(remainingByDay(chart, live, now)).toEqual([
    { at: start, value: 100 },
    { at: start + dayMs, value: 90 },
    { at: start + 2 * dayMs, value: 90 },
    { at: now, value: 90 },
  ]);
});

test('usage may exceed the limit', () => {
  const over = { ...live, used_bytes: 150 };
  expect(remainingByDay(chart, over, start + dayMs / 2).at(-1)?.value).toBe(-30);
});

test('the forecast begins with the remaining amount now and ends with its band at the end of the cycle', () => {
  const points = projectRemaining(live, { now: start + 2 * dayMs, end });
  expect(points[0]).toEqual({ at: start + 2 * dayMs, value: 90, low: 90, high: 90 });
  expect(points.at(-1)).toEqual({ at: end, value: -30, low: -70, high: -10 });
  // The band widens fast at first.
  const quarter = points[3];
  expect(quarter && quarter.value - quarter.low).toBe(20);
});

test('the band never rises above the remaining amount, however wide it is', () => {
  const wide = { ...live, forecast: live.forecast && { ...live.forecast, low_bytes: 30 } };
  for (const { high } of projectRemaining(wide, { now: start, end })) expect(high).toBeLessThanOrEqual(90);
});

test('there is no forecast before the first day is over, and after the end', () => {
  expect(projectRemaining({ ...live, forecast: null }, { now: start, end })).toEqual([]);
  expect(projectRemaining(live, { now: end, end })).toEqual([]);
});
