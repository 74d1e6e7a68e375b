import type { PoolLineChart, PoolRealTime } from '@simcube/contract/pool';
import { dayMs } from '@simcube/contract/time';

/** Steps of the forecast's band, which widens with the square root of time. */
const bandSteps = 12;

interface Point {
  at: number;
  value: number;
}

/** The remaining amount at the end of each finished day, and now. */
export const remainingByDay = (
  { cycle_started_at, days }: PoolLineChart,
  { limit_bytes: limit, used_bytes: used }: PoolRealTime,
  now: number,
): Point[] => {
  const start = Date.parse(cycle_started_at);
  const finishedDays = days.flatMap((day, index) => {
    const at = start + (index + 1) * dayMs;
    return at <= now ? [{ at, value: day.limit_bytes - day.used_bytes }] : [];
  });
  return [
    { at: start, value: days[0]?.limit_bytes ?? limit },
    ...finishedDays,
    { at: now, value: limit - used },
  ];
};

/** The expected remaining amount from now to the end of the cycle, with the 80 % band; the first point is now. */
export const projectRemaining = (
  { limit_bytes: limit, used_bytes: used, forecast }: PoolRealTime,
  { now, end }: { now: number; end: number },
): (Point & { low: number; high: number })[] => {
  if (!forecast || end <= now) return [];
  return Array.from({ length: bandSteps + 1 }, (_, step) => {
    const share = step / bandSteps;
    const value = limit - used - share * (forecast.used_bytes - used);
    const spread = Math.sqrt(share);
    return {
      at: now + share * (end - now),
      value,
      low: value - spread * (forecast.high_bytes - forecast.used_bytes),
      // The remaining amount can't increase.
      high: Math.min(limit - used, value + spread * (forecast.used_bytes - forecast.low_bytes)),
    };
  });
};
