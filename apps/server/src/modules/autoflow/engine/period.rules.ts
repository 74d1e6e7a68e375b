import { addMonths, usageDays } from '../../../platform/clock/business-day.ts';

/** A span of time, milliseconds; the end is exclusive. */
export interface Span {
  startsAt: number;
  endsAt: number;
}

/** The day or calendar month of an instant, in UTC like all usage of SIMs. */
export const spanOf = (period: 'day' | 'month', at: number): Span => {
  if (period === 'day') {
    const day = usageDays.dayOf(new Date(at));
    return { startsAt: usageDays.startOf(day).getTime(), endsAt: usageDays.endOf(day).getTime() };
  }
  const month = usageDays.monthOf(new Date(at));
  return {
    startsAt: usageDays.startOfMonth(month).getTime(),
    endsAt: usageDays.startOfMonth(addMonths(month, 1)).getTime(),
  };
};

/** The key of a period: a rule fires once per SIM and key. */
export const periodKey = (period: 'cycle' | 'day' | 'month', { startsAt }: Span): string => {
  const start = new Date(startsAt);
  if (period === 'day') return usageDays.dayOf(start);
  return period === 'month' ? usageDays.monthOf(start) : `cycle ${start.toISOString()}`;
};
