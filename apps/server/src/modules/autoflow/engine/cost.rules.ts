import type { Measured, TriggerOf } from '@simcube/contract/autoflow';
import { amountMicros } from '../../price/index.ts';
import { isOn } from './armed-rule.rules.ts';
import { periodKey } from './period.rules.ts';

export const isOnCost = isOn('cost');

/** Millionths in whole minor units: what is begun of one is not reached. */
export const minorOf = (currency: string, micros: number): number =>
  Math.floor(micros / amountMicros({ currency, total_minor: 1 }));

/** A rule fires once for a SIM and cycle. */
export const costOccasion = (cycleStartedAt: string): string => {
  const startsAt = Date.parse(cycleStartedAt);
  return periodKey('cycle', { startsAt, endsAt: startsAt });
};

/** What is compared when the cost of a cycle comes to the threshold of a rule; undefined when it does not. */
export const costMeasure = (
  trigger: TriggerOf<'cost'>,
  { currency, formerMicros, micros }: { currency: string; formerMicros: number; micros: number },
  since: string,
): Measured | undefined => {
  const threshold = amountMicros({ currency: trigger.currency, total_minor: trigger.amount_minor });
  if (currency !== trigger.currency || formerMicros >= threshold || micros < threshold) return undefined;
  return { value: minorOf(currency, micros), threshold: trigger.amount_minor, unit: currency, since };
};
