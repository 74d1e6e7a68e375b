import { type CdrGrouping, countNaturalDays } from '@simcube/contract/cdr';
import { dayMs, hourMs } from '@simcube/contract/time';

/** What usage is summed by: a grouping, or the whole. */
export type Key = CdrGrouping | 'all';

/** Results for a span, by key and group. */
export type GroupedResults<T> = Map<Key, Map<string, T>>;

export interface Amounts {
  records: number;
  up_bytes: number;
  down_bytes: number;
  /** The part of these in provisional hours. */
  late_records: number;
  late_up_bytes: number;
  late_down_bytes: number;
}

export const noAmounts: Amounts = {
  records: 0,
  up_bytes: 0,
  down_bytes: 0,
  late_records: 0,
  late_up_bytes: 0,
  late_down_bytes: 0,
};

export interface Distinct {
  sims: number;
  sessions: number;
}

/** By key. */
export type Figures = Map<string, Amounts & Distinct>;

export const withDistinct = (
  amounts: ReadonlyMap<string, Amounts>,
  counts: ReadonlyMap<string, Distinct>,
): Figures =>
  new Map(
    [...amounts].map(([key, amount]) => [
      key,
      { ...amount, ...(counts.get(key) ?? { sims: 0, sessions: 0 }) },
    ]),
  );

export interface Span {
  from: Date;
  to: Date;
}

/**
 * Distance to the previous period in milliseconds: if the span begins with a day, its number of natural days, so that
 * days are compared with days; else its number of hours, rounded up.
 */
export const distanceBefore = ({ from, to }: Span): number =>
  from.getTime() % dayMs === 0
    ? Math.max(1, countNaturalDays(from, to)) * dayMs
    : Math.max(1, Math.ceil((to.getTime() - from.getTime()) / hourMs)) * hourMs;

/**
 * The previous period. If it begins with a day, its last hour or day is whole: the current, incomplete one is
 * compared with a complete one, and records dated only to the day (from files) are included.
 */
export const spanBefore = (span: Span, step: 'hour' | 'day'): Span => {
  const distance = distanceBefore(span);
  const stepMs = step === 'hour' ? hourMs : dayMs;
  const until = span.to.getTime();
  const to = span.from.getTime() % dayMs === 0 ? Math.ceil(until / stepMs) * stepMs : until;
  return { from: new Date(span.from.getTime() - distance), to: new Date(to - distance) };
};

/** The keys of all hours or days of a span; undefined for groups that exist only with usage. */
export const timeKeys = (grouping: CdrGrouping, { from, to }: Span): string[] | undefined => {
  const step = grouping === 'hour' ? hourMs : grouping === 'day' ? dayMs : undefined;
  if (step === undefined) return undefined;
  const first = Math.floor(from.getTime() / step);
  const count = Math.max(0, Math.ceil(to.getTime() / step) - first);
  return Array.from({ length: count }, (_, index) => {
    const at = new Date((first + index) * step).toISOString();
    return grouping === 'hour' ? at : at.slice(0, 10);
  });
};
