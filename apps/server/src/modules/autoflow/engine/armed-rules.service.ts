import type { TriggerKind } from '@simcube/contract/autoflow';
import type { Sql } from '../../../platform/db/index.ts';
import type { ArmedRule } from './armed-rule.rules.ts';
import { hasArmedRules, listArmedRules } from './armed-rules.views.ts';

/** The rules of an organisation on a trigger. If there are none, this takes one cheap query. */
export const listArmedRulesOn = async <R extends ArmedRule>(
  tx: Sql,
  {
    orgId,
    kind,
    hasTrigger,
  }: { orgId: number; kind: TriggerKind; hasTrigger: (rule: ArmedRule) => rule is R },
): Promise<R[]> =>
  (await hasArmedRules(tx, orgId, [kind])) ? (await listArmedRules(tx, orgId)).filter(hasTrigger) : [];
