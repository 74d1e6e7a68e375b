import type { Measured, TriggerKind } from '@simcube/contract/autoflow';
import { dayMs, hourMs } from '@simcube/contract/time';
import { type ArmedRule, type ArmedRuleOn, hasTrigger } from './armed-rule.rules.ts';

/** Triggers that depend on time alone. */
export const timeKinds = [
  'first-use',
  'lifecycle-expiry',
  'silent',
] as const satisfies readonly TriggerKind[];
export type TimeKind = (typeof timeKinds)[number];
export type TimeRule = ArmedRuleOn<TimeKind>;

const hasTimeKind = hasTrigger(...timeKinds);
/** A first-use rule depends on time if it waits for SIMs without use. */
export const hasTimeTrigger = (rule: ArmedRule): rule is TimeRule =>
  hasTimeKind(rule) && (rule.trigger.kind !== 'first-use' || rule.trigger.unused_days !== null);

/**
 * Offset from when the rule is due to the instant by which SIMs are found; milliseconds, negative if the rule is due
 * before it.
 */
export const leadMs = ({ trigger }: TimeRule): number => {
  switch (trigger.kind) {
    case 'first-use':
      return -(trigger.unused_days ?? 0) * dayMs;
    case 'lifecycle-expiry':
      return -trigger.days * dayMs;
    case 'silent':
      return trigger.hours * hourMs;
  }
};

/** `instant`: the end of the period or of the lifecycle, or when the SIM was last seen; it identifies the occasion. */
export const keyOf = ({ trigger }: TimeRule, instant: number): string => {
  const names = {
    'first-use': 'unused until',
    'lifecycle-expiry': 'expires',
    silent: 'silent since',
  } as const;
  return `${names[trigger.kind]} ${new Date(instant).toISOString()}`;
};

/** `instant` as above. For an approaching end nothing is compared; readers want the end itself. */
export const measuredOf = (
  { trigger }: TimeRule,
  { instant, now }: { instant: number; now: number },
): Measured => {
  const instantText = new Date(instant).toISOString();
  return trigger.kind === 'silent'
    ? {
        value: Math.floor((now - instant) / hourMs),
        threshold: trigger.hours,
        unit: 'hours',
        since: instantText,
      }
    : { value: instantText, threshold: null, unit: null, since: null };
};

/** The stored state of an organisation's runs for a trigger. Times are milliseconds. */
export interface TimeEvaluation {
  judgedUntil: number;
  ranAt: number;
  runningSince: number;
}

/** A longer time without a run is a gap. */
const gapMs = 10 * 60_000;

/**
 * Since when the runs have had no gap; 0 if no gap is known. `since`: when the first of the rules was armed; no
 * run was needed before.
 */
export const runningSince = (
  evaluation: TimeEvaluation | undefined,
  { since, now }: { since: number; now: number },
): number => (now - Math.max(evaluation?.ranAt ?? 0, since) > gapMs ? now : (evaluation?.runningSince ?? 0));

/** The span in which a rule is due in a run; undefined if it is not. */
export const dueSpan = (
  { since, until }: TimeRule,
  { from, now }: { from: number; now: number },
): { from: number; to: number } | undefined => {
  const span = { from: Math.max(from, since), to: Math.min(now, until ?? now) };
  return span.from < span.to ? span : undefined;
};
