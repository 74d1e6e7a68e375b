import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import type { UsageSpan } from './api/use-sim.ts';
import { type Granularity, granularities, type SimDetailSearch, type UsageRange } from './search.ts';

/** `YYYY-MM-DD` in UTC+0, the cut-off of SIM usage (specification, section 9). */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** Days of each preset; six months are the current one and the previous five. */
const presetDays: Record<Exclude<UsageRange, 'custom' | '6m'>, number> = { today: 1, '7d': 7, '30d': 30 };

/** The longest range that can be requested. */
export const maxRangeDays = 366;

interface Days {
  from: string;
  to: string;
}

/** The granularities that can show a range: by hour at most a week of retained hours, by month only more than a month. */
export const granularitiesFor = ({ from, to }: Days, now: number): Granularity[] => {
  const days = daysBetween(from, to);
  const allowed: Record<Granularity, boolean> = {
    hour: days <= 7 && from >= monthsBack(now, limits.hourlyUsageMonths),
    day: days <= 92,
    month: days > 31,
  };
  return granularities.filter((granularity) => allowed[granularity]);
};

const monthsBack = (at: number, months: number): string => {
  const date = new Date(at);
  return utcDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
};

const dayRangeOf = (search: SimDetailSearch, now: number): Days & { range: UsageRange } => {
  const { range = '30d', from, to } = search;
  if (range === 'custom' && from && to && from <= to && daysBetween(from, to) <= maxRangeDays) {
    return { range, from, to };
  }
  if (range === '6m') return { range, from: monthsBack(now, 5), to: utcDay(now) };
  const preset = range === 'custom' ? '30d' : range;
  return { range: preset, from: utcDay(now - (presetDays[preset] - 1) * dayMs), to: utcDay(now) };
};

/** The range that the usage tab shows for its search parameters, at a given instant. */
export const usageSpanOf = (search: SimDetailSearch, now: number): UsageSpan & { range: UsageRange } => {
  const { range, from, to } = dayRangeOf(search, now);
  const available = granularitiesFor({ from, to }, now);
  const usual = from === to ? 'hour' : 'day';
  const fallback = available.includes(usual) ? usual : (available[0] ?? 'month');
  const requested = search.per ?? (range === '6m' ? 'month' : fallback);
  return { range, from, to, granularity: available.includes(requested) ? requested : fallback };
};
