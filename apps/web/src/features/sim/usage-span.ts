import type { UsageSpan } from './api/use-sim.ts';
import type { Granularity, SimDetailSearch, UsageRange } from './search.ts';

const dayMs = 86_400_000;

/** `YYYY-MM-DD` in UTC+0, the cut-off of SIM usage (specification, section 9). */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** Days of each preset; six months are the current one and the previous five. */
const presetDays: Record<Exclude<UsageRange, 'custom' | '6m'>, number> = { today: 1, '7d': 7, '30d': 30 };

/** The longest range that can be requested. */
export const maxRangeDays = 366;

/** The ranges that a granularity can show: by hour at most a week, by month only more than a month. */
const allowed: Record<Granularity, (days: number) => boolean> = {
  hour: (days) => days <= 7,
  day: (days) => days > 1 && days <= 92,
  month: (days) => days > 31,
};

export const granularitiesFor = (days: number): Granularity[] =>
  (['hour', 'day', 'month'] as const).filter((granularity) => allowed[granularity](days));

const monthsBack = (at: number, months: number): string => {
  const date = new Date(at);
  return utcDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
};

const dayRangeOf = (
  search: SimDetailSearch,
  now: number,
): { range: UsageRange; from: string; to: string } => {
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
  const available = granularitiesFor(daysBetween(from, to));
  const fallback = available.includes('day') ? 'day' : (available[0] ?? 'month');
  const requested = search.per ?? (range === '6m' ? 'month' : fallback);
  return { range, from, to, granularity: available.includes(requested) ? requested : fallback };
};
