import { addMonths, usageDays } from '../../../platform/clock/business-day.ts';

/** A stretch of time, milliseconds; the end is exclusive. */
export interface Span {
  startsAt: number;
  endsAt: number;
}

/** The day or the calendar month of an instant. Both are of UTC, as all usage of SIMs is. */
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

/** What names a period: a rule fires once for a SIM and such a name. */
export const periodKey = (period: 'cycle' | 'day' | 'month', { startsAt }: Span): string => {
  const start = new Date(startsAt);
  if (period === 'day') return usageDays.dayOf(start);
  return period === 'month' ? usageDays.monthOf(start) : `cycle ${start.toISOString()}`;
};
