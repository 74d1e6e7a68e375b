import { limits } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { inChunks } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { firingsPerFact, rulesFired } from '../autoflow.events.ts';
import { isNotification } from './actions.rules.ts';
import type { ArmedRule, RuleMatch } from './armed-rule.rules.ts';
import { type Firing, insertFirings } from './firings.queries.ts';
import { queueActions } from './perform-action.job.ts';

/** Maximum length of a chain: an operation that would cause a fourth step causes nothing. */
const maxChainLength = 3;

const matchKey = ({ ruleId, simId, key }: RuleMatch): string => `${ruleId} ${simId} ${key}`;

/**
 * Fires rules of an organisation in the caller's transaction, each once per occasion, however often that is repeated.
 * The actions are done after the commit.
 */
export const fire = async (
  tx: Sql,
  {
    orgId,
    rules,
    matches,
    now,
  }: {
    orgId: number;
    rules: readonly ArmedRule[];
    matches: readonly RuleMatch[];
    now: Date;
  },
): Promise<Firing[]> => {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const historyUntil = now.getTime() + limits.autoflow.historyDays * dayMs;
  // Several checks of a period may each find the same crossing.
  const unique = new Map(matches.map((occasion) => [matchKey(occasion), occasion]));
  const firings = [...unique.values()].flatMap(({ ruleId, simId, key, at, endsAt, measured, chain = [] }) => {
    const rule = byId.get(ruleId);
    if (!rule || chain.length >= maxChainLength) return [];
    const keptUntil = Math.max(historyUntil, endsAt ?? 0);
    const actions = rule.actions.map(({ kind }) => ({
      kind,
      gathered: rule.groupMinutes !== null && isNotification(kind),
    }));
    return [{ ruleId, version: rule.version, simId, key, at, keptUntil, measured, chain, actions }];
  });
  if (firings.length === 0) return [];
  const fired = await insertFirings(tx, { orgId, firings, now });
  await queueActions(tx, { rules: byId, fired });
  const facts = inChunks(fired, firingsPerFact).map((part) => ({
    orgId,
    payload: {
      at: now.toISOString(),
      firings: part.map((firing) => ({ ...firing, at: new Date(firing.at).toISOString() })),
    },
  }));
  await emitMany(tx, rulesFired, facts);
  return fired;
};
