import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { businessDays } from '../../lib/time/index.ts';

export interface Days {
  from: string;
  to: string;
}

const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10);

export const daysOf = ({ from, to }: Days): string[] => {
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayAfter(from, index));
};

/** The error in the chosen days: one of the issues that the server also reports. */
export const periodProblem = ({
  from,
  to,
}: {
  from?: string | undefined;
  to?: string | undefined;
}): 'endBeforeStart' | 'spanTooLong' | undefined => {
  if (from === undefined || to === undefined) return undefined;
  if (to < from) return 'endBeforeStart';
  return daysOf({ from, to }).length > limits.heatmap.days ? 'spanTooLong' : undefined;
};

export const suggestedPeriods = ['thisMonth', 'lastMonth', 'lastWeek'] as const;

/** The days of a suggestion; no days are the month so far. */
export const daysOfSuggestion = (
  suggestion: (typeof suggestedPeriods)[number],
  now: number,
): Days | undefined => {
  const today = businessDays.dayOf(now);
  if (suggestion === 'thisMonth') return undefined;
  if (suggestion === 'lastWeek') return { from: dayAfter(today, -6), to: today };
  const to = dayAfter(today.replace(/\d\d$/, '01'), -1);
  return { from: to.replace(/\d\d$/, '01'), to };
};

/** The month so far, unless the URL has other days; never more days than the server accepts. */
export const periodOf = (
  requested: { from?: string | undefined; to?: string | undefined },
  now: number,
): Days => {
  const today = businessDays.dayOf(now);
  const { from = requested.to?.replace(/\d\d$/, '01') ?? today.replace(/\d\d$/, '01') } = requested;
  const last = dayAfter(from, limits.heatmap.days - 1);
  const to = requested.to ?? (today < from ? from : today);
  if (to < from) return { from, to: from };
  return { from, to: to < last ? to : last };
};
