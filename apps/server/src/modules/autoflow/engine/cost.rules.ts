import type { Measured, TriggerOf } from '@simcube/contract/autoflow';
import { amountMicros } from '../../price/index.ts';
import { hasTrigger } from './armed-rule.rules.ts';
import { periodKey } from './period.rules.ts';

export const hasCostTrigger = hasTrigger('cost');

/** Millionths as whole minor units, rounded down: a threshold is only reached by a full unit. */
export const minorOf = (currency: string, micros: number): number =>
  Math.floor(micros / amountMicros({ currency, total_minor: 1 }));

/** A rule fires once per SIM and cycle. */
export const costMatchKey = (cycleStartedAt: string): string => {
  const startsAt = Date.parse(cycleStartedAt);
  return periodKey('cycle', { startsAt, endsAt: startsAt });
};

/** The costs of a cycle before and after a rise. */
export interface CostRise {
  currency: string;
  formerMicros: number;
  micros: number;
  /** The part that usage does not cause; absent in facts of previous versions. */
  feesMicros?: number | undefined;
}

/** The comparison, if the cost of a cycle reaches a rule's threshold; undefined if it does not. */
export const costMeasure = (
  trigger: TriggerOf<'cost'>,
  { currency, formerMicros, micros }: Pick<CostRise, 'currency' | 'formerMicros' | 'micros'>,
  since: string,
): Measured | undefined => {
  const threshold = amountMicros({ currency: trigger.currency, total_minor: trigger.amount_minor });
  if (currency !== trigger.currency || formerMicros >= threshold || micros < threshold) return undefined;
  return { value: minorOf(currency, micros), threshold: trigger.amount_minor, unit: currency, since };
};

/** Whether the fees alone reach a rule's threshold, so that what started the order caused it, and no usage. */
export const isReachedByFees = (trigger: TriggerOf<'cost'>, rise: CostRise): boolean => {
  // Without the fees, costs of a cycle that had none are taken for them.
  const { formerMicros, micros, feesMicros = formerMicros === 0 ? micros : 0 } = rise;
  return costMeasure(trigger, { ...rise, micros: feesMicros }, '') !== undefined;
};
