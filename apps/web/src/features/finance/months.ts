import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';

const { publishDay, daysToPay } = limits.bills;

/** The days, `YYYY-MM-DD`, on which a draft of a month is to be issued, and then due. */
export const expectedDays = (month: string): { issued: string; due: string } => {
  const monthEnd = new Date(month);
  monthEnd.setUTCMonth(monthEnd.getUTCMonth() + 1, 0);
  const dayAfter = (days: number) => new Date(monthEnd.getTime() + days * dayMs).toISOString().slice(0, 10);
  return { issued: dayAfter(publishDay), due: dayAfter(publishDay + daysToPay) };
};

const numberOf = (month: string): number => {
  const [year = 0, ofYear = 1] = month.split('-').map(Number);
  return year * 12 + ofYear - 1;
};

/** All months, `YYYY-MM`, from one to another. */
export const monthsBetween = (first: string, last: string): string[] => {
  const from = numberOf(first);
  return Array.from({ length: numberOf(last) - from + 1 }, (_, index) => {
    const month = from + index;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
};
