import type { ResetCycle } from '@simcube/contract/bundle';
import { dayMs, minuteMs } from '@simcube/contract/time';
import { dashboardDays, daysAt } from '../../platform/clock/business-day.ts';

/** A quota's period: from `startedAt` up to, but not including, `endsAt`. */
export interface Cycle {
  startedAt: Date;
  endsAt: Date;
}

/** A cycle's first instant and the first one after it, in milliseconds. */
export interface CycleSpan {
  startedAt: number;
  endsAt: number;
}

/** What a SIM used in a cycle, and its limit. */
export interface CycleCount extends CycleSpan {
  simId: number;
  used: number;
  limit: number | null;
}

export interface CycleQuery {
  resetCycle: ResetCycle;
  /** When the order was activated: the anchor of "24h day", "full month" and "full year". */
  activatedAt: Date;
  at: Date;
  /** Where cycle days end (23:59:59 at this offset); by default where business days do. */
  dayOffsetMinutes?: number;
}

/**
 * The cycle that contains an instant. An instant before the activation belongs to the first cycle: the record
 * that made a SIM active may have an earlier time than the activation itself.
 * - day: calendar day · month: calendar month; the first one is partial, from the activation on
 * - 24h day: 24 hours, counted from the activation
 * - full month, full year: from the day of activation to the day before its namesake (31 → last day)
 * No cycle begins before the activation: an order that follows another within a day would share its first
 * cycle.
 */
export const cycleAt = (query: CycleQuery): Cycle => {
  const { resetCycle, activatedAt, dayOffsetMinutes = dashboardDays.offsetMinutes } = query;
  const at = later(query.at, activatedAt);
  switch (resetCycle) {
    case '24h day':
      return dayFromActivation(activatedAt, at);
    case 'day': {
      const days = daysAt(dayOffsetMinutes);
      const day = days.dayOf(at);
      return { startedAt: later(activatedAt, days.startOf(day)), endsAt: days.endOf(day) };
    }
    case 'month': {
      const month = monthNumber(at, dayOffsetMinutes);
      return {
        startedAt: later(activatedAt, dayInMonth(month, 1, dayOffsetMinutes)),
        endsAt: dayInMonth(month + 1, 1, dayOffsetMinutes),
      };
    }
    case 'full month':
      return anchoredCycle({ activatedAt, at, months: 1, offset: dayOffsetMinutes });
    case 'full year':
      return anchoredCycle({ activatedAt, at, months: 12, offset: dayOffsetMinutes });
  }
};

/** The cycle that follows: it starts where the given one ends. */
export const cycleAfter = (query: Omit<CycleQuery, 'at'> & { cycle: Cycle }): Cycle =>
  cycleAt({ ...query, at: query.cycle.endsAt });

/** A year and a month: no later bill includes anything older. */
const maxPastMs = 400 * dayMs;

/**
 * The cycles that begin after one instant and are over by another, even if nothing was counted in them; at most
 * of the last 400 days.
 */
export const cyclesBetween = (query: Omit<CycleQuery, 'at'> & { from: Date; until: Date }): Cycle[] => {
  const { from, until, ...rule } = query;
  const past: Cycle[] = [];
  const first = later(from, new Date(until.getTime() - maxPastMs));
  for (let cycle = cycleAt({ ...rule, at: first }); cycle.endsAt <= until; ) {
    past.push(cycle);
    cycle = cycleAfter({ ...rule, cycle });
  }
  return past;
};

const later = (a: Date, b: Date): Date => (a.getTime() > b.getTime() ? a : b);

const dayFromActivation = (activatedAt: Date, at: Date): Cycle => {
  const elapsedDays = Math.floor((at.getTime() - activatedAt.getTime()) / dayMs);
  const start = activatedAt.getTime() + elapsedDays * dayMs;
  return { startedAt: new Date(start), endsAt: new Date(start + dayMs) };
};

/** Cycles of a number of months whose first day is the activation's day of the month, or the month's last. */
const anchoredCycle = (input: { activatedAt: Date; at: Date; months: number; offset: number }): Cycle => {
  const { activatedAt, at, months, offset } = input;
  const anchorDay = new Date(activatedAt.getTime() + offset * minuteMs).getUTCDate();
  const firstMonth = monthNumber(activatedAt, offset);
  const start = (cycle: number) => dayInMonth(firstMonth + cycle * months, anchorDay, offset);
  let cycle = Math.floor((monthNumber(at, offset) - firstMonth) / months);
  // In the month in which the cycle ends, the days before the namesake still belong to the previous cycle.
  if (start(cycle) > at) cycle -= 1;
  return { startedAt: later(activatedAt, start(cycle)), endsAt: start(cycle + 1) };
};

/** The month, at the offset, that contains the instant, in months since year 0. */
const monthNumber = (at: Date, offset: number): number => {
  const local = new Date(at.getTime() + offset * minuteMs);
  return local.getUTCFullYear() * 12 + local.getUTCMonth();
};

/** Start of the given day of that month, or of its last day if the month is shorter. */
const dayInMonth = (month: number, day: number, offset: number): Date => {
  const lastDay = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
  return new Date(Date.UTC(Math.floor(month / 12), month % 12, Math.min(day, lastDay)) - offset * minuteMs);
};
