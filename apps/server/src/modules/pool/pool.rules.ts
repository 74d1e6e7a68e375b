import type { Pool, PoolTermKind, poolActivationRules } from '@simcube/contract/pool';
import { dayMs } from '@simcube/contract/time';
import { addDays, dashboardDays, daysFrom } from '../../platform/clock/business-day.ts';
import { cycleAt, type ResetCycle } from '../bundle/index.ts';

/** A pool can't be created or changed as requested; the message says why. */
export class PoolRefused extends Error {}

export type ActivationRule = (typeof poolActivationRules)[number];

/** A cycle of a pool, in whole business days. */
export interface PoolCycle {
  startedAt: Date;
  endsAt: Date;
}

export interface CycleRow extends PoolCycle {
  launchedAt: Date | null;
  overAt: Date | null;
}

/**
 * The cycle that contains an instant: calendar days and months, or months and years from the day on which the pool
 * was created. Unlike a SIM's, the first cycle is whole.
 */
export const poolCycleAt = (
  { resetCycle, createdAt }: { resetCycle: ResetCycle; createdAt: Date },
  at: Date,
): PoolCycle => {
  const isCalendar = resetCycle === 'day' || resetCycle === 'month';
  const firstDay = dashboardDays.startOf(dashboardDays.dayOf(createdAt));
  return cycleAt({ resetCycle, activatedAt: isCalendar ? new Date(0) : firstDay, at });
};

/** The cycles from the one that contains `from` to the one that contains `until`. */
export const poolCycles = (
  pool: { resetCycle: ResetCycle; createdAt: Date },
  { from, until }: { from: Date; until: Date },
): PoolCycle[] => {
  const cycles = [poolCycleAt(pool, from)];
  for (let last = cycles[0]; last && last.endsAt <= until; ) {
    last = poolCycleAt(pool, last.endsAt);
    cycles.push(last);
  }
  return cycles;
};

/** Part of a pool's limit, in the cycles that begin from `fromAt` until before `untilAt`. */
export interface Term {
  kind: PoolTermKind;
  bytes: number;
  fromAt: Date;
  untilAt: Date | null;
}

const daysBetween = (from: Date, until: Date): number =>
  Math.round((until.getTime() - from.getTime()) / dayMs);

/** The number of business days left in a cycle, including the given one. */
export const daysLeft = (cycle: PoolCycle, at: Date): number =>
  daysBetween(dashboardDays.startOf(dashboardDays.dayOf(at)), cycle.endsAt);

/**
 * What a member that becomes active at `at`, within the cycle, adds to the limit: its bundle's whole limit
 * (standard), or in that first cycle the share of the days left, including that day (pro-rata). A SIM that already
 * contributed to this cycle contributes from the next one on.
 */
export const contributionOf = (member: {
  rule: ActivationRule;
  baseBytes: number;
  cycle: PoolCycle;
  at: Date;
  hasContributed: boolean;
}): Term[] => {
  const { rule, baseBytes, cycle, at, hasContributed } = member;
  const whole = (fromAt: Date): Term => ({ kind: 'standard', bytes: baseBytes, fromAt, untilAt: null });
  if (hasContributed) return [whole(cycle.endsAt)];
  const days = daysBetween(cycle.startedAt, cycle.endsAt);
  const left = Math.min(daysLeft(cycle, at), days);
  if (rule === 'standard' || left === days) return [whole(cycle.startedAt)];
  const share = Number((BigInt(baseBytes) * BigInt(left)) / BigInt(days));
  const first: Term = { kind: 'pro-rata', bytes: share, fromAt: cycle.startedAt, untilAt: cycle.endsAt };
  return [first, whole(cycle.endsAt)];
};

/** A part of a pool's counter. */
export interface Shard {
  shard: number;
  used: number;
}

/**
 * The usage at which each shard triggers the next evaluation. Before the first shard reaches its figure, all shards
 * together can't use more than what is left, so the limit is not crossed unnoticed although shards don't see each
 * other.
 */
export const shardThresholds = (shards: readonly Shard[], limit: number): Map<number, number> => {
  const used = shards.reduce((sum, one) => sum + one.used, 0);
  const room = Math.max(1, Math.floor((limit - used) / Math.max(1, shards.length)));
  return new Map(shards.map((one) => [one.shard, one.used + room]));
};

export interface Forecast {
  used: number;
  low: number;
  high: number;
  perDay: number;
  runsOutAt: Date | null;
  earliestAt: Date | null;
  latestAt: Date | null;
}

/** Days from which usage can be forecast: with fewer, how much they vary is unknown. */
export const forecastDaysNeeded = 3;

/** z for the middle 80 % of a normal distribution. */
const eightyPercent = 1.2816;

/**
 * The expected usage of the rest of the cycle, from the days that are over: their mean, with a band derived from
 * their deviation.
 * @param days usage of the days that are over, oldest first
 * @returns null if there are none
 */
export const forecastOf = (input: {
  days: readonly number[];
  used: number;
  limit: number;
  now: Date;
  endsAt: Date;
}): Forecast | null => {
  const { days, used, limit, now, endsAt } = input;
  if (days.length === 0) return null;
  const mean = days.reduce((sum, bytes) => sum + bytes, 0) / days.length;
  const variance = days.reduce((sum, bytes) => sum + (bytes - mean) ** 2, 0) / Math.max(1, days.length - 1);
  const left = Math.max(0, endsAt.getTime() - now.getTime()) / dayMs;
  const usageAfter = (time: number, sign: number): number =>
    used + Math.max(0, mean * time + sign * eightyPercent * Math.sqrt(variance * time));
  const limitReachedAt = (sign: number): Date | null => {
    if (usageAfter(left, sign) < limit) return null;
    let [low, high] = [0, left];
    for (let step = 0; step < 50; step += 1) {
      const middle = (low + high) / 2;
      if (usageAfter(middle, sign) < limit) low = middle;
      else high = middle;
    }
    return new Date(now.getTime() + high * dayMs);
  };
  return {
    used: Math.round(usageAfter(left, 0)),
    low: Math.round(usageAfter(left, -1)),
    high: Math.round(usageAfter(left, 1)),
    perDay: Math.round(mean),
    runsOutAt: limitReachedAt(0),
    earliestAt: limitReachedAt(1),
    latestAt: limitReachedAt(-1),
  };
};

const forecastDaysBehind = 28;

/**
 * The first day that a forecast continues: four weeks back, also in former cycles. A pool that stops SIMs may have been
 * stopped in those, so only its cycle tells how much it uses.
 */
export const forecastSince = (
  { policy, startedAt }: { policy: Pool['policy']; startedAt: Date },
  now: Date,
): string =>
  policy === 'no limit'
    ? addDays(dashboardDays.dayOf(now), -forecastDaysBehind)
    : dashboardDays.dayOf(startedAt);

/**
 * Usage of the days that a forecast continues, oldest first: those that are over, after the one on which the pool was
 * created, from the first one with usage.
 */
export const forecastDays = (
  bytesOf: ReadonlyMap<string, number>,
  { since, createdAt, now }: { since: string; createdAt: Date; now: Date },
): number[] => {
  const firstWhole = addDays(dashboardDays.dayOf(createdAt), 1);
  const yesterday = addDays(dashboardDays.dayOf(now), -1);
  const days = daysFrom(since > firstWhole ? since : firstWhole, yesterday).map(
    (day) => bytesOf.get(day) ?? 0,
  );
  return days.slice(
    Math.max(
      0,
      days.findIndex((bytes) => bytes > 0),
    ),
  );
};

/** The business days of a cycle. */
export const daysOf = ({ startedAt, endsAt }: PoolCycle): string[] =>
  Array.from({ length: daysBetween(startedAt, endsAt) }, (_, index) =>
    addDays(dashboardDays.dayOf(startedAt), index),
  );
