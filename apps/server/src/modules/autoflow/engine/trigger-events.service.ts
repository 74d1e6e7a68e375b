import type { Measured } from '@simcube/contract/autoflow';
import type { Sql } from '../../../platform/db/index.ts';
import { listWatchedSims } from '../../usage/index.ts';
import { type ArmedRule, covers, isActiveAt } from './armed-rule.rules.ts';
import { findListsOfSims } from './armed-rules.views.ts';
import { chainKey, findChains } from './chains.views.ts';
import { fire } from './firing.service.ts';

/** An event of a SIM, and whether rules wait for it. */
export interface TriggerEvent {
  simId: number;
  /** Milliseconds. */
  at: number;
  /** Identifies the change among those of the SIM. */
  key: string;
  /** The task that caused it, which a rule may have ordered. */
  task?: string | undefined;
  /** Whether the task caused what the rule waits for; by default it did. */
  isOfTask?(rule: ArmedRule): boolean;
  /** The comparison; undefined if the rule does not wait for the event. */
  measure(rule: ArmedRule): Measured | undefined;
}

/**
 * Fires the rules of an organisation that wait for events of its SIMs. `endedTypes` are the types of bundles that ended
 * with the events, by SIM: such a SIM is still in the scope of rules on that type.
 */
export const evaluateEvents = async (
  tx: Sql,
  input: {
    orgId: number;
    rules: readonly ArmedRule[];
    events: readonly TriggerEvent[];
    endedTypes?: ReadonlyMap<number, string>;
    now: Date;
  },
): Promise<void> => {
  const { orgId, rules, events, endedTypes, now } = input;
  const simIds = events.map(({ simId }) => simId);
  const sims = new Map((await listWatchedSims(tx, { orgId, simIds })).map((sim) => [sim.simId, sim]));
  const lists = await findListsOfSims(tx, simIds);
  const chains = await findChains(tx, [...new Set(events.flatMap(({ task }) => task ?? []))]);
  const matches = events.flatMap(({ simId, at, key, task, isOfTask, measure }) => {
    const current = sims.get(simId);
    if (!current) return [];
    const ofTask = (task !== undefined && chains.get(chainKey(task, simId))) || [];
    const sim = { ...current, bundleType: current.bundleType ?? endedTypes?.get(simId) ?? null };
    return rules.flatMap((rule) => {
      const measured = isActiveAt(rule, at) ? measure(rule) : undefined;
      if (!measured || !covers(rule, sim, lists)) return [];
      const chain = isOfTask?.(rule) === false ? [] : ofTask;
      return [{ ruleId: rule.id, simId, key, at, endsAt: null, measured, chain }];
    });
  });
  await fire(tx, { orgId, rules, matches, now });
};

/** The comparison of a change, from one value to another. */
export const measuredChange = (from: string, to: string): Measured => ({
  value: from,
  threshold: to,
  unit: null,
  since: null,
});
