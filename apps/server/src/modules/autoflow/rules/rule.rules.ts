import type { NewDefinition, RuleCondition, RuleDefinition } from '@simcube/contract/autoflow';
import { dayMs } from '@simcube/contract/time';

/** Ids of the lists in a definition. */
export const listIds = ({
  trigger,
  scope,
}: RuleDefinition): { scope: string | null; imeis: string | null } => ({
  scope: 'list_id' in scope ? scope.list_id : null,
  imeis: 'list_id' in trigger ? trigger.list_id : null,
});

/** The times that are before now, except those that the rule had before. */
export const timesBeforeNow = (
  input: Pick<NewDefinition, 'active_from' | 'active_until'>,
  { now, previous }: { now: Date; previous: Pick<RuleDefinition, 'active_from' | 'active_until'> | null },
): ('active_from' | 'active_until')[] =>
  (['active_from', 'active_until'] as const).filter((name) => {
    const time = input[name];
    const before = previous?.[name];
    // The same instant can be written in several ways.
    const isUnchanged =
      typeof before === 'string' && time !== null && Date.parse(time) === Date.parse(before);
    return time !== null && !isUnchanged && Date.parse(time) < now.getTime();
  });

export const hasEnded = ({ active_until: until }: Pick<RuleDefinition, 'active_until'>, now: Date): boolean =>
  until !== null && Date.parse(until) <= now.getTime();

/** The rule's current condition. */
export const conditionOf = (
  rule: { enabled: boolean; from: Date | null; until: Date | null; hasFailed: boolean },
  now: Date,
): RuleCondition => {
  if (!rule.enabled) return 'disabled';
  if (rule.until !== null && rule.until <= now) return 'ended';
  if (rule.from !== null && rule.from > now) return 'waiting';
  return rule.hasFailed ? 'failing' : 'enabled';
};

/** The last 30 days (UTC), ending today, with the counts of each. */
export const daysOf = (
  counts: ReadonlyMap<string, number>,
  { now, days }: { now: Date; days: number },
): { day: string; count: number }[] =>
  Array.from({ length: days }, (_, index) => {
    const day = new Date(now.getTime() - (days - 1 - index) * dayMs).toISOString().slice(0, 10);
    return { day, count: counts.get(day) ?? 0 };
  });
