import { dayMs } from '@simcube/contract/time';
import { startOfDay, type TimeZoneChoice } from '../../../lib/time/index.ts';

/** Suggested periods, up to now; `31d` is the default. */
export const lastPeriods = ['today', '7d', '31d', 'all'] as const;
export type LastPeriod = (typeof lastPeriods)[number];

/** The search parameters of the period. */
export interface PeriodParams {
  last?: LastPeriod | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const presetDays = { today: 0, '7d': 6, '31d': 30 } as const;

export const hasDates = ({ from, to }: PeriodParams): boolean => (from ?? to) !== undefined;
export const lastOf = ({ last = '31d' }: PeriodParams): LastPeriod => last;

/**
 * For a number of days, starts with a whole day in the displayed zone; for chosen instants, uses them unchanged, the last one
 * inclusive.
 */
export const periodRange = (
  params: PeriodParams,
  { zone, now }: { zone: TimeZoneChoice; now: number },
): { from?: string; to?: string } => {
  if (hasDates(params)) {
    const { from, to } = params;
    return {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to: new Date(Date.parse(to) + 1).toISOString() }),
    };
  }
  const last = lastOf(params);
  if (last === 'all') return {};
  const from = startOfDay(dayAgo(presetDays[last], { zone, now }), zone);
  return from === undefined ? {} : { from };
};

/** `YYYY-MM-DD` the given number of days ago, by calendar: days with a clock change do not have 24 hours. */
const dayAgo = (daysAgo: number, { zone, now }: { zone: TimeZoneChoice; now: number }): string => {
  if (zone === 'UTC') return new Date(now - daysAgo * dayMs).toISOString().slice(0, 10);
  const at = new Date(now);
  const pad = (part: number): string => String(part).padStart(2, '0');
  const day = new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysAgo);
  return `${day.getFullYear()}-${pad(day.getMonth() + 1)}-${pad(day.getDate())}`;
};
