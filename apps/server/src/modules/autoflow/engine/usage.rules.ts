import { dataUnits, type Measured, type RulePeriod } from '@simcube/contract/autoflow';
import { addDays, daysFrom, usageDays } from '../../../platform/clock/business-day.ts';
import type { UsageLookupResult, WatchedSim } from '../../usage/index.ts';
import {
  type ArmedRule,
  type ArmedRuleOn,
  covers,
  hasTrigger,
  type ListsBySim,
  type RuleMatch,
} from './armed-rule.rules.ts';
import { periodKey, type Span, spanOf } from './period.rules.ts';
import { bytesAtPercent, bytesToCrossing, isCrossed, watchAt } from './threshold.rules.ts';

/** Rules that depend on usage. */
export const hasUsageTrigger = hasTrigger('data-usage', 'unusual-usage', 'first-use');
export type UsageRule = ArmedRuleOn<'data-usage' | 'unusual-usage' | 'first-use'>;

/** Number of preceding days whose median is the usual usage. */
export const usualDays = 14;

/** A SIM, and its usage as read for one instant. */
export interface UsageSnapshot {
  sim: WatchedSim;
  at: number;
  usage: UsageLookupResult;
  /** The cycle that contains the instant, with its usage; null if none is known. */
  cycle: { span: Span; used: number; limit: number | null } | null;
  /** Whether nothing was used between the activation and the instant. */
  isUnused: boolean;
}

/** Usage of the period that the rule is about. */
export interface Counter {
  name: string;
  span: Span;
  total: number;
  threshold: number;
}

/** For periods without an end. */
const endless = Number.MAX_SAFE_INTEGER;

const dayOf = (at: number): string => usageDays.dayOf(new Date(at));

const sumOf = ({ days }: UsageLookupResult, { startsAt, endsAt }: Span): number => {
  let sum = 0;
  const [first, end] = [dayOf(startsAt), dayOf(endsAt)];
  for (const [day, bytes] of Object.entries(days)) if (day >= first && day < end) sum += bytes;
  return sum;
};

/** The median usage of the preceding days, including days without usage. */
export const usualOf = (before: readonly number[]): number => {
  const sorted = before.toSorted((a, b) => a - b);
  return ((sorted[usualDays / 2 - 1] ?? 0) + (sorted[usualDays / 2] ?? 0)) / 2;
};

const daysBefore = ({ days }: UsageLookupResult, at: number): number[] => {
  const today = dayOf(at);
  return daysFrom(addDays(today, -usualDays), addDays(today, -1)).map((day) => days[day] ?? 0);
};

/** What a rule counts; undefined if no threshold could be reached. */
type CounterOf = (rule: Pick<UsageRule, 'trigger'>) => Counter | undefined;

/** What rules count for a SIM at an instant. Each period is summed up once for all rules. */
export const countersOf = ({
  sim,
  at,
  usage,
  cycle,
  isUnused,
}: Omit<UsageSnapshot, 'sim'> & { sim: Pick<WatchedSim, 'activatedAt'> }): CounterOf => {
  const periods = new Map<RulePeriod, Omit<Counter, 'threshold'> | undefined>();
  const counted = (period: RulePeriod): Omit<Counter, 'threshold'> | undefined => {
    if (period === 'cycle')
      return cycle
        ? { name: periodKey('cycle', cycle.span), span: cycle.span, total: cycle.used }
        : undefined;
    const span = spanOf(period, at);
    return { name: periodKey(period, span), span, total: sumOf(usage, span) };
  };
  const countedIn = (period: RulePeriod): Omit<Counter, 'threshold'> | undefined => {
    if (!periods.has(period)) periods.set(period, counted(period));
    return periods.get(period);
  };
  let usual: number | undefined;
  return ({ trigger }) => {
    switch (trigger.kind) {
      case 'first-use': {
        if (trigger.unused_days !== null || sim.activatedAt === null || at < sim.activatedAt)
          return undefined;
        const span = { startsAt: sim.activatedAt, endsAt: endless };
        const name = `activated ${new Date(sim.activatedAt).toISOString()}`;
        const since = usage.bytes.reduce((sum, bytes) => sum + bytes, 0);
        return { name, span, total: isUnused ? since : since + 1, threshold: 1 };
      }
      case 'unusual-usage': {
        usual ??= usualOf(daysBefore(usage, at));
        return reachable(countedIn('day'), Math.ceil(usual * trigger.multiple) || null);
      }
      case 'data-usage':
        return reachable(
          countedIn(trigger.period),
          trigger.threshold.unit === '%'
            ? bytesAtPercent(cycle?.limit ?? null, trigger.threshold.amount)
            : trigger.threshold.amount * dataUnits[trigger.threshold.unit],
        );
    }
  };
};

const reachable = (
  counted: Omit<Counter, 'threshold'> | undefined,
  threshold: number | null,
): Counter | undefined =>
  counted && threshold !== null
    ? { name: counted.name, span: counted.span, total: counted.total, threshold }
    : undefined;

/** The part of the counter's total that was used before an instant. */
export const usedBefore = (
  { total, span }: Counter,
  { ends, bytes }: UsageLookupResult,
  at: number,
): number => {
  let before = total;
  for (const [index, end] of ends.entries()) {
    if (end >= at && end >= span.startsAt && end < span.endsAt) before -= bytes[index] ?? 0;
  }
  return before;
};

/** The occasions on which records that ended at the instant, or later, make rules fire. */
export const findMatches = (
  rules: readonly UsageRule[],
  snapshot: UsageSnapshot,
  lists: ListsBySim,
): RuleMatch[] => {
  const { sim, at, usage } = snapshot;
  const counterOf = countersOf(snapshot);
  return rules.flatMap((rule) => {
    const counter = counterOf(rule);
    if (!counter || counter.total < counter.threshold || (rule.until !== null && at >= rule.until)) return [];
    // Records that ended after the rule's end don't count for it.
    const reached = rule.until === null ? counter.total : usedBefore(counter, usage, rule.until);
    const from = Math.max(at, rule.since);
    const before = usedBefore(counter, usage, from);
    if (!isCrossed({ total: reached, before }, counter.threshold)) return [];
    // Records that ended before the rule was armed don't count for it: at least one must have arrived since.
    if (counter.span.endsAt <= rule.since || !covers(rule, sim, lists)) return [];
    const { name, span, threshold } = counter;
    return [
      {
        ruleId: rule.id,
        simId: sim.simId,
        key: name,
        at: reachedAt(counter, usage, { from, before }),
        endsAt: span.endsAt === endless ? null : span.endsAt,
        measured: measuredOf(rule, { span, total: reached, threshold }),
      },
    ];
  });
};

/**
 * The end of the record with which usage reached the threshold, if it was `before` at the instant `from`: records of a
 * file are reported by day, and others in batches.
 */
const reachedAt = (
  { span, threshold }: Counter,
  { ends, bytes }: UsageLookupResult,
  { from, before }: { from: number; before: number },
): number => {
  let used = before;
  const inOrder = ends.map((end, index) => ({ end, bytes: bytes[index] ?? 0 }));
  for (const record of inOrder.toSorted((a, b) => a.end - b.end)) {
    if (record.end < from || record.end < span.startsAt || record.end >= span.endsAt) continue;
    used += record.bytes;
    if (used >= threshold) return record.end;
  }
  return from;
};

export const measuredOf = (
  { trigger }: Pick<UsageRule, 'trigger'>,
  { span, total, threshold }: Omit<Counter, 'name'>,
): Measured => {
  const since = new Date(span.startsAt).toISOString();
  if (trigger.kind === 'first-use') return { value: null, threshold: null, unit: null, since };
  return { value: total, threshold, unit: 'octets', since };
};

/** The usage of its cycle from which the SIM must be checked next; `snapshot` must be current. */
export const nextWatch = (
  rules: readonly UsageRule[],
  snapshot: UsageSnapshot,
  lists: ListsBySim,
): number | null => {
  const { sim } = snapshot;
  // The SIM's first record begins its cycle.
  const isBeginning = ({ trigger }: UsageRule) => trigger.kind === 'data-usage' && trigger.period === 'cycle';
  if (!snapshot.cycle && rules.some((rule) => isBeginning(rule) && covers(rule, sim, lists))) return 0;
  const counterOf = countersOf(snapshot);
  let nearest = Number.POSITIVE_INFINITY;
  for (const rule of rules) {
    const counter = counterOf(rule);
    if (!counter) continue;
    const isOnce = rule.trigger.kind === 'first-use' && counter.total >= counter.threshold;
    const distance = isOnce ? Number.POSITIVE_INFINITY : bytesToCrossing(counter.total, counter.threshold);
    if (distance < nearest && covers(rule, sim, lists)) nearest = distance;
  }
  return watchAt(sim.used, [nearest]);
};

/** Whether every SIM must be checked once a day, because the usual usage changes daily. */
export const isDaily = (rules: readonly ArmedRule[]): boolean => rules.some(hasTrigger('unusual-usage'));
