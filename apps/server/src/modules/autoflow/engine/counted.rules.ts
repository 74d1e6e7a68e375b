import type { Measured, RulePeriod, Trigger } from '@simcube/contract/autoflow';
import { hourMs } from '@simcube/contract/time';
import { type ArmedRuleOn, hasTrigger } from './armed-rule.rules.ts';
import { periodKey, type Span, spanOf } from './period.rules.ts';

/** Triggers that count messages or sessions of a SIM. */
const countedKinds = ['sms-mt', 'sms-mo', 'sessions'] as const;
export type CountedKind = (typeof countedKinds)[number];
export type CountedTrigger = Extract<Trigger, { kind: CountedKind }>;
export type CountedRule = ArmedRuleOn<CountedKind>;

export const hasCountTrigger = hasTrigger(...countedKinds);
export const isCountTrigger = (trigger: Trigger): trigger is CountedTrigger =>
  (countedKinds as readonly string[]).includes(trigger.kind);

/** A period of counting, with the key for which a rule fires once. */
export interface CountedSpan extends Span {
  name: string;
}

/** The count at which a rule fires. */
export const countOf = (trigger: CountedTrigger): number =>
  trigger.kind === 'sessions' ? trigger.per_hour : trigger.count;

/** The hour, day, month or cycle in which a rule counts an instant; `cycle` is the SIM's cycle then, null if there is none. */
export const countedSpan = (
  trigger: CountedTrigger,
  at: number,
  cycle: Span | null,
): CountedSpan | undefined => {
  if (trigger.kind === 'sessions') {
    const startsAt = Math.floor(at / hourMs) * hourMs;
    const name = `hour ${new Date(startsAt).toISOString()}`;
    return { startsAt, endsAt: startsAt + hourMs, name };
  }
  const { period } = trigger;
  const span = period === 'cycle' ? cycleAt(cycle, at) : spanOf(period, at);
  return (
    span && {
      startsAt: span.startsAt,
      endsAt: span.endsAt,
      name: periodKey(period satisfies RulePeriod, span),
    }
  );
};

const cycleAt = (cycle: Span | null, at: number): Span | undefined =>
  cycle && cycle.startsAt <= at && at < cycle.endsAt ? cycle : undefined;

export const unitOf = ({ kind }: CountedTrigger): 'sessions' | 'SMS' =>
  kind === 'sessions' ? 'sessions' : 'SMS';

/** The comparison when the count of a period reaches the rule's. */
export const countedMeasure = (trigger: CountedTrigger, { startsAt }: Span): Measured => ({
  value: countOf(trigger),
  threshold: countOf(trigger),
  unit: unitOf(trigger),
  since: new Date(startsAt).toISOString(),
});

export interface ReachedCount {
  span: CountedSpan;
  /** When the event that completed the count happened; milliseconds. */
  at: number;
}

/** The periods in which the ordered times of a SIM reach a rule's count. */
export const findReachedCounts = (
  trigger: CountedTrigger,
  times: readonly number[],
  cycleOf: (at: number) => Span | null,
): ReachedCount[] => {
  const target = countOf(trigger);
  const counts = new Map<string, number>();
  return times.flatMap((at) => {
    const span = countedSpan(trigger, at, cycleOf(at));
    if (!span) return [];
    const count = (counts.get(span.name) ?? 0) + 1;
    counts.set(span.name, count);
    return count === target ? [{ span, at }] : [];
  });
};
