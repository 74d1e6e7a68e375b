import { type CdrGrouping, naturalDays } from '@simcube/contract/cdr';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What usage is summed by: the whole, or a group. */
export type Key = CdrGrouping | 'all';

/** What was found of a span: by what it is summed by, and by group. */
export type Found<T> = Map<Key, Map<string, T>>;

export interface Amounts {
  records: number;
  up_bytes: number;
  down_bytes: number;
  /** Of these, what is of the provisional hours. */
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
 * How long before the period before lies, in milliseconds: as many natural days when the span begins with one, so that days
 * stand beside days; else as many whole hours as it has.
 */
export const distanceBefore = ({ from, to }: Span): number =>
  from.getTime() % dayMs === 0
    ? Math.max(1, naturalDays(from, to)) * dayMs
    : Math.max(1, Math.ceil((to.getTime() - from.getTime()) / hourMs)) * hourMs;

/**
 * The period before, to its last hour or day whole where it begins with a day: what has only begun stands beside what was
 * whole, and records of which only the day is known (a file's) are in it, too.
 */
export const spanBefore = (span: Span, step: 'hour' | 'day'): Span => {
  const distance = distanceBefore(span);
  const stepMs = step === 'hour' ? hourMs : dayMs;
  const until = span.to.getTime();
  const to = span.from.getTime() % dayMs === 0 ? Math.ceil(until / stepMs) * stepMs : until;
  return { from: new Date(span.from.getTime() - distance), to: new Date(to - distance) };
};

/** The keys of all hours or days of a span; undefined for groups that only usage makes. */
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
