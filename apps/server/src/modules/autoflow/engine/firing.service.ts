import { limits } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { firingsPerFact, rulesFired } from '../autoflow.events.ts';
import { queueActions } from './act.job.ts';
import { isNotification } from './actions.rules.ts';
import type { ArmedRule, Occasion } from './armed-rule.rules.ts';
import { type Firing, insertFirings } from './firings.queries.ts';
import { inParts } from './parts.rules.ts';

const dayMs = 86_400_000;
/** Maximum length of a chain: an operation that would cause a fourth step causes nothing. */
const stepsMost = 3;

const occasionKey = ({ ruleId, simId, key }: Occasion): string => `${ruleId} ${simId} ${key}`;

/**
 * Fires rules of an organisation in the caller's transaction, each once per occasion, however often that is repeated.
 * The actions are done after the commit.
 */
export const fire = async (
  tx: Sql,
  {
    orgId,
    rules,
    occasions,
    now,
  }: {
    orgId: number;
    rules: readonly ArmedRule[];
    occasions: readonly Occasion[];
    now: Date;
  },
): Promise<Firing[]> => {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const kept = now.getTime() + limits.autoflow.historyDays * dayMs;
  // Several checks of a period may each find the same crossing.
  const once = new Map(occasions.map((occasion) => [occasionKey(occasion), occasion]));
  const firings = [...once.values()].flatMap(({ ruleId, simId, key, at, endsAt, measured, chain = [] }) => {
    const rule = byId.get(ruleId);
    if (!rule || chain.length >= stepsMost) return [];
    const keptUntil = Math.max(kept, endsAt ?? 0);
    const actions = rule.actions.map(({ kind }) => ({
      kind,
      gathered: rule.groupMinutes !== null && isNotification(kind),
    }));
    return [{ ruleId, version: rule.version, simId, key, at, keptUntil, measured, chain, actions }];
  });
  if (firings.length === 0) return [];
  const fired = await insertFirings(tx, { orgId, firings, now });
  await queueActions(tx, { rules: byId, fired });
  const facts = inParts(fired, firingsPerFact).map((part) => ({
    orgId,
    payload: {
      at: now.toISOString(),
      firings: part.map((firing) => ({ ...firing, at: new Date(firing.at).toISOString() })),
    },
  }));
  await emitMany(tx, rulesFired, facts);
  return fired;
};
