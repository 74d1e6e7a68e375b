import { int8Column, type Sql } from '../../../platform/db/index.ts';
import { simItems } from '../../sim/index.ts';
import { listBusy } from '../../task/index.ts';
import { type ActivationFacts, activateRule } from './activation.rules.ts';

const firstPendingPlan = `(select json_build_object('code', b.code, 'name', b.name)
  from bundle_orders o join bundles b on b.id = o.bundle_id
  where o.sim_id = v.sim_id and o.status = 'pending' and b.type not in ('prepaid supplementary', 'test plan')
  order by o.ordered_at, o.id limit 1)`;

/** The facts for an activation that has been ordered: the SIM is pending in this one, so it does not count as busy. */
export const findPendingPlans = async (
  tx: Sql,
  simIds: readonly number[],
): Promise<Map<number, ActivationFacts>> => {
  const { rows } = await tx.query<[number, ActivationFacts['pendingPlan']]>({
    text: `select v.sim_id, ${firstPendingPlan} from unnest($1::bigint[]) as v (sim_id)`,
    values: [int8Column(simIds, (simId) => simId)],
    rowMode: 'array',
  });
  return new Map(rows.map(([simId, pendingPlan]) => [simId, { pendingPlan, isActivating: false }]));
};

/** The same for an activation about to be ordered, where another one may be in progress. */
export const findActivationFacts = async (
  tx: Sql,
  simIds: readonly number[],
): Promise<Map<number, ActivationFacts>> => {
  const facts = await findPendingPlans(tx, simIds);
  for (const simId of await listBusy(tx, { kind: simItems, refs: simIds, type: activateRule.type })) {
    facts.set(simId, { pendingPlan: facts.get(simId)?.pendingPlan ?? null, isActivating: true });
  }
  return facts;
};
