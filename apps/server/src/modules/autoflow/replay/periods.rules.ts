import { dayMs } from '@simcube/contract/time';
import { addDays, usageDays } from '../../../platform/clock/business-day.ts';
import type { PastCycle } from '../../usage/index.ts';
import { type Span, spanOf } from '../engine/period.rules.ts';
import { crossingOf } from '../engine/threshold.rules.ts';
import { type Counter, countersOf, type UsageRule, usualDays, usualOf } from '../engine/usage.rules.ts';
import type { CrossedPiece } from './replay-results.rules.ts';

/** The days of a replay. Positions count from the first of them; sums are read from `lead` days before it. */
export interface Window {
  span: Span;
  /** When the last day ends. */
  closesAt: number;
  days: number;
  lead: number;
  /** From the first day that is read. */
  names: string[];
}

/** The trigger's kind and period decide how long before the first day its sums begin. */
export const windowOf = ({ trigger }: Pick<UsageRule, 'trigger'>, span: Span, days: number): Window => {
  const isMonthly = trigger.kind === 'data-usage' && trigger.period === 'month';
  const begins = isMonthly
    ? spanOf('month', span.startsAt).startsAt
    : span.startsAt - (trigger.kind === 'unusual-usage' ? usualDays * dayMs : 0);
  const lead = (span.startsAt - begins) / dayMs;
  const first = usageDays.dayOf(new Date(begins));
  const names = Array.from({ length: lead + days }, (_, index) => addDays(first, index));
  return { span, closesAt: span.startsAt + days * dayMs, days, lead, names };
};

const noRecords = { ends: [], bytes: [] };
const unusedSim = { activatedAt: null };

/** By trigger, because it is the same for each of a million SIMs. */
const minUsageCache = new WeakMap<UsageRule['trigger'], number>();

/** The minimum usage of a day, or a month, for a rule to fire; 0 if that differs by SIM. */
export const minUsageOf = ({ trigger }: Pick<UsageRule, 'trigger'>): number => {
  const minUsage = minUsageCache.get(trigger) ?? computeMinUsage(trigger);
  minUsageCache.set(trigger, minUsage);
  return minUsage;
};

const computeMinUsage = (trigger: UsageRule['trigger']): number => {
  if (trigger.kind !== 'data-usage' || trigger.threshold.unit === '%') return 0;
  const snapshot = { sim: unusedSim, at: 0, usage: { ...noRecords, days: {} }, cycle: null, isUnused: false };
  return countersOf(snapshot)({ trigger: { ...trigger, period: 'day' } })?.threshold ?? 0;
};

/** The cycle whose limit applies to a period: the latest that begins before the period ends. */
const cycleIn = (cycles: readonly PastCycle[], { endsAt }: Span): PastCycle | undefined =>
  cycles.find(({ startsAt }) => startsAt < endsAt);

/** Where a SIM's days crossed a threshold, by the days or months of a window. */
export const findDayCrossings = (
  rule: Pick<UsageRule, 'trigger'>,
  { simId, bytes, cycles }: { simId: number; bytes: Float64Array; cycles: readonly PastCycle[] },
  window: Window,
): CrossedPiece[] => {
  const { trigger } = rule;
  const isMonthly = trigger.kind === 'data-usage' && trigger.period === 'month';
  const minUsage = isMonthly ? minUsageOf(rule) : 0;
  const all: CrossedPiece[] = [];
  for (const { span, from, to } of periodsOf(window, isMonthly ? 'month' : 'day')) {
    if (isMonthly ? sumOf(bytes, window, span) < minUsage : !bytes[from + window.lead]) continue;
    if (trigger.kind === 'unusual-usage' && !isUnusual(trigger.multiple, bytes, from + window.lead)) continue;
    const read = bytes.subarray(from + window.lead, to + window.lead);
    const empty = hasOneThreshold(trigger) ? emptyCounter(trigger, span) : undefined;
    const counter = empty
      ? { ...empty, total: sumOf(bytes, window, span) }
      : countersOf({
          sim: unusedSim,
          at: span.startsAt,
          usage: { ...noRecords, days: daysFor(trigger, bytes, window, span) },
          cycle: cycleOf(cycleIn(cycles, span)),
          isUnused: false,
        })(rule);
    if (counter) all.push(...findCrossing(simId, counter, { window, from, pieces: read }));
  }
  return all;
};

/** Whether the threshold is the same for each SIM and period. */
const hasOneThreshold = (trigger: UsageRule['trigger']): boolean =>
  trigger.kind === 'data-usage' && trigger.threshold.unit !== '%';

/** By trigger and start of the period, because they are the same for each of a million SIMs. */
const counterCache = new WeakMap<UsageRule['trigger'], Map<number, Counter>>();

/** What a rule counts in a period of a SIM without usage. */
const emptyCounter = (trigger: UsageRule['trigger'], { startsAt }: Span): Counter | undefined => {
  const cached = counterCache.get(trigger) ?? new Map<number, Counter>();
  counterCache.set(trigger, cached);
  const usage = { ...noRecords, days: {} };
  const counter =
    cached.get(startsAt) ??
    countersOf({ sim: unusedSim, at: startsAt, usage, cycle: null, isUnused: false })({ trigger });
  if (counter) cached.set(startsAt, counter);
  return counter;
};

const cycleOf = (cycle: PastCycle | undefined) =>
  cycle
    ? { span: { startsAt: cycle.startsAt, endsAt: cycle.endsAt }, used: cycle.used, limit: cycle.limit }
    : null;

const isUnusual = (multiple: number, bytes: Float64Array, dayIndex: number): boolean => {
  const used = bytes[dayIndex] ?? 0;
  // To be unusual, at least half of the days must be low enough, and at least half must have usage. For most SIMs
  // this is not so, and counting is cheaper than computing the median.
  let [low, unused] = [0, 0];
  for (let day = dayIndex - usualDays; day < dayIndex; day += 1) {
    const before = bytes[day] ?? 0;
    if (before === 0) unused += 1;
    if (before * multiple <= used) low += 1;
  }
  if (low < usualDays / 2 || unused > usualDays / 2) return false;
  const usual = usualOf([...bytes.subarray(dayIndex - usualDays, dayIndex)]);
  return usual > 0 && used >= usual * multiple;
};

interface Period {
  span: Span;
  /** Positions of its days in the window. */
  from: number;
  to: number;
}

/** By window: they are the same for each of a million SIMs, and calendar computations take time. */
const periodCache = new WeakMap<Window, Partial<Record<'day' | 'month', readonly Period[]>>>();

/** The days or months of a window. */
const periodsOf = (window: Window, period: 'day' | 'month'): readonly Period[] => {
  const cached = periodCache.get(window) ?? {};
  periodCache.set(window, cached);
  const periods = cached[period] ?? computePeriods(window, period);
  cached[period] = periods;
  return periods;
};

const computePeriods = (window: Window, period: 'day' | 'month'): Period[] => {
  const periods: Period[] = [];
  for (
    let at = window.span.startsAt;
    at < window.closesAt;
    at = periods.at(-1)?.span.endsAt ?? window.closesAt
  ) {
    const span = spanOf(period, at);
    const [from, to] = dayIndexes(window, span);
    periods.push({ span, from, to });
  }
  return periods;
};

/** The positions, from and until, of the window's days in a span of whole days. */
const dayIndexes = ({ span, days }: Window, { startsAt, endsAt }: Span): [number, number] => [
  Math.max(0, Math.floor((startsAt - span.startsAt) / dayMs)),
  Math.min(days, Math.ceil((endsAt - span.startsAt) / dayMs)),
];

/** Sum of a span, from the first day that was read. */
const sumOf = (bytes: Float64Array, { span, lead }: Window, { startsAt, endsAt }: Span): number => {
  const first = Math.max(0, (startsAt - span.startsAt) / dayMs + lead);
  const end = (endsAt - span.startsAt) / dayMs + lead;
  let sum = 0;
  for (let dayIndex = first; dayIndex < Math.min(end, bytes.length); dayIndex += 1)
    sum += bytes[dayIndex] ?? 0;
  return sum;
};

/** The days that the trigger counts, and those that it compares them with. */
const daysFor = (
  trigger: UsageRule['trigger'],
  bytes: Float64Array,
  { span, lead, names }: Window,
  { startsAt, endsAt }: Span,
): Record<string, number> => {
  const before = trigger.kind === 'unusual-usage' ? usualDays : 0;
  const first = Math.max(0, (startsAt - span.startsAt) / dayMs + lead - before);
  const end = Math.min(bytes.length, (endsAt - span.startsAt) / dayMs + lead);
  const days: Record<string, number> = {};
  for (let dayIndex = first; dayIndex < end; dayIndex += 1)
    days[names[dayIndex] ?? ''] = bytes[dayIndex] ?? 0;
  return days;
};

const findCrossing = (
  simId: number,
  { total, threshold, span }: Counter,
  { window, from, pieces }: { window: Window; from: number; pieces: ArrayLike<number> },
): CrossedPiece[] => {
  const crossing = crossingOf(total, pieces, threshold);
  if (!crossing) return [];
  const begins = window.span.startsAt + (from + crossing.index) * dayMs;
  const piece = {
    simId,
    from: Math.max(begins, span.startsAt),
    to: Math.min(begins + dayMs, span.endsAt),
  };
  return [{ piece, before: crossing.usage - (pieces[crossing.index] ?? 0), threshold, span }];
};

/** A cycle that may have crossed a threshold, with the sums of its days within the window. */
export interface CycleCandidate {
  cycle: PastCycle;
  counter: Counter;
  /** Position of the first of them. */
  from: number;
  pieces: Float64Array;
  /** Partial days at the start and the end of the cycle, which must be summed from records. */
  first: { from: number; to: number } | null;
  last: { from: number; to: number } | null;
}

/** Undefined for a cycle that can't have reached the threshold in the window. */
export const findCycleCandidate = (
  rule: Pick<UsageRule, 'trigger'>,
  { cycle, bytes }: { cycle: PastCycle; bytes: Float64Array },
  window: Window,
): CycleCandidate | undefined => {
  const snapshot = {
    sim: unusedSim,
    at: cycle.startsAt,
    usage: { ...noRecords, days: {} },
    cycle: cycleOf(cycle),
    isUnused: false,
  };
  const counter = countersOf(snapshot)(rule);
  if (!counter || counter.total < counter.threshold) return undefined;
  const { startsAt, endsAt } = counter.span;
  const [from, to] = dayIndexes(window, counter.span);
  if (from >= to) return undefined;
  const dayAt = (dayIndex: number) => window.span.startsAt + dayIndex * dayMs;
  const cut = (dayIndex: number) => ({
    from: Math.max(startsAt, dayAt(dayIndex)),
    to: Math.min(endsAt, dayAt(dayIndex + 1)),
  });
  return {
    cycle,
    counter,
    from,
    pieces: bytes.slice(from + window.lead, to + window.lead),
    first: startsAt > dayAt(from) ? cut(from) : null,
    last: endsAt < dayAt(to) ? cut(to - 1) : null,
  };
};

/** Whether the first piece is needed to find where the cycle crossed its threshold. */
export const needsFirst = ({ counter: { total, threshold }, pieces }: CycleCandidate): boolean =>
  crossingOf(total, pieces.subarray(1), threshold) === undefined;

/** To be called once the partial days are summed. */
export const findCycleCrossings = (
  { cycle, counter, from, pieces }: CycleCandidate,
  window: Window,
): CrossedPiece[] => findCrossing(cycle.simId, counter, { window, from, pieces });
