import { hourMs } from '@simcube/contract/time';
import type { BusinessDays } from '../../platform/clock/business-day.ts';
import { addDays, addMonths, daysFrom } from '../../platform/clock/business-day.ts';

/** Days of a trend line on a card, including today. */
export const trendDays = 14;
/** What "active" and "overage" are compared with. */
export const comparedDaysAgo = { active: 7, overage: 1 } as const;

/** Starts of the last 24 hours, the running one last. */
export const hoursUntil = (now: Date): Date[] => {
  const running = Math.floor(now.getTime() / hourMs) * hourMs;
  return Array.from({ length: 24 }, (_, index) => new Date(running - (23 - index) * hourMs));
};

/** The last `count` business days, today last. */
export const daysUntil = (now: Date, count: number, days: BusinessDays): string[] => {
  const today = days.dayOf(now);
  return daysFrom(addDays(today, 1 - count), today);
};

/** The last `count` business months, the running one last. */
export const monthsUntil = (now: Date, count: number, days: BusinessDays): string[] => {
  const month = days.monthOf(now);
  return Array.from({ length: count }, (_, index) => addMonths(month, index + 1 - count));
};

/** The running business month, and the part of the previous month up to the same day (or its last) and hour. */
export interface MonthSoFar {
  month: string;
  startsAt: Date;
  endsAt: Date;
  before: {
    month: string;
    /** Whole days before `partialDay`. */
    firstDay: string;
    /** The day that is compared only up to the same hour. */
    partialDay: string;
    partialFrom: Date;
    partialUntil: Date;
  };
}

export const monthSoFar = (now: Date, days: BusinessDays): MonthSoFar => {
  const month = days.monthOf(now);
  const before = addMonths(month, -1);
  const startsAt = days.startOfMonth(month);
  const today = days.dayOf(now);
  const lastDayBefore = addDays(`${month}-01`, -1);
  const sameDay = `${before}-${today.slice(8)}`;
  // 31 March is compared with the whole of February.
  const isWhole = sameDay > lastDayBefore;
  const partialDay = isWhole ? lastDayBefore : sameDay;
  const elapsedMs = now.getTime() - days.startOf(today).getTime();
  const partialFrom = days.startOf(partialDay);
  const until = isWhole ? days.endOf(partialDay) : new Date(partialFrom.getTime() + elapsedMs);
  return {
    month,
    startsAt,
    endsAt: days.startOfMonth(addMonths(month, 1)),
    before: { month: before, firstDay: `${before}-01`, partialDay, partialFrom, partialUntil: until },
  };
};
