import type { Sql } from '../../../platform/db/index.ts';
import { findNthSessions, type NthSessionQuery } from '../../sim/index.ts';
import { findNthMessages } from '../../sms/index.ts';
import { type CycleAt, listWatchedSims, readCyclesAt } from '../../usage/index.ts';
import { covers, isActiveAt, type RuleMatch } from './armed-rule.rules.ts';
import { findListsOfSims } from './armed-rules.views.ts';
import {
  type CountedKind,
  type CountedRule,
  type CountedSpan,
  type CountedTrigger,
  countedMeasure,
  countedSpan,
  countOf,
} from './counted.rules.ts';
import { fire } from './firing.service.ts';
import type { Span } from './period.rules.ts';

/** For each query, the time of the nth event that a trigger counts. */
const findNthEvents = (
  sql: Sql,
  kind: CountedKind,
  query: { orgId: number; queries: readonly NthSessionQuery[] },
): Promise<(number | null)[]> =>
  kind === 'sessions'
    ? findNthSessions(sql, query)
    : findNthMessages(sql, { ...query, mobileOriginated: kind === 'sms-mo' });

/** Whether a trigger counts per cycle of the SIM. */
export const isByCycle = (trigger: CountedTrigger): boolean =>
  trigger.kind !== 'sessions' && trigger.period === 'cycle';

/** The SIM's cycle at an instant; null if there is none. */
export const countedCycle = (cycleAt: CycleAt, simId: number, at: number): Span | null => {
  const cycle = cycleAt(simId, at);
  return cycle ? { startsAt: cycle.startedAt, endsAt: cycle.endsAt } : null;
};

const noCycles: CycleAt = () => undefined;

interface Candidate {
  rule: CountedRule;
  simId: number;
  span: CountedSpan;
  /** Time of the earliest new event in the period; milliseconds. */
  since: number;
}

/**
 * Fires rules of one kind for SIMs with new events: in each period with one of them, if it or a later event completed the
 * count. Late events count in their own period; events from before the rule was armed, or from before the SIM came into
 * its scope, don't trigger it.
 */
export const evaluateCounts = async (
  tx: Sql,
  input: {
    orgId: number;
    kind: CountedKind;
    rules: readonly CountedRule[];
    /** Times of new events, milliseconds; of sessions, a time in each hour in which one may have begun. */
    seen: readonly { simId: number; at: number }[];
    now: Date;
  },
): Promise<void> => {
  const { orgId, kind, rules, seen, now } = input;
  const simIds = [...new Set(seen.map(({ simId }) => simId))];
  const sims = new Map((await listWatchedSims(tx, { orgId, simIds })).map((sim) => [sim.simId, sim]));
  const lists = await findListsOfSims(tx, simIds);
  const after = seen.reduce((earliest, { at }) => Math.min(earliest, at), now.getTime());
  const cycleAt = rules.some(({ trigger }) => isByCycle(trigger))
    ? await readCyclesAt(tx, { simIds, after })
    : noCycles;
  const candidates = new Map<string, Candidate>();
  for (const { simId, at } of seen) {
    const sim = sims.get(simId);
    if (!sim) continue;
    for (const rule of rules) {
      const span = countedSpan(rule.trigger, at, countedCycle(cycleAt, simId, at));
      if (!span || span.endsAt <= rule.since || !covers(rule, sim, lists)) continue;
      const key = `${rule.id} ${simId} ${span.name}`;
      const since = kind === 'sessions' ? span.startsAt : Math.min(at, candidates.get(key)?.since ?? at);
      candidates.set(key, { rule, simId, span, since });
    }
  }
  const unique = [...candidates.values()];
  if (unique.length === 0) return;
  const times = await findNthEvents(tx, kind, {
    orgId,
    queries: unique.map(({ rule, simId, span }) => ({
      simId,
      from: span.startsAt,
      to: span.endsAt,
      nth: countOf(rule.trigger),
    })),
  });
  const matches = unique.flatMap(({ rule, simId, span, since }, index): RuleMatch[] => {
    const at = times[index] ?? null;
    if (at === null || at < since || !isActiveAt(rule, at)) return [];
    const measured = countedMeasure(rule.trigger, span);
    return [{ ruleId: rule.id, simId, key: span.name, at, endsAt: span.endsAt, measured }];
  });
  await fire(tx, { orgId, rules, matches, now });
};
