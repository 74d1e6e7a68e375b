import type pg from 'pg';
import { inSnapshot, inTransaction, type Sql } from '../../platform/db/index.ts';
import { type CostSources, readCosts } from './cost.views.ts';
import { type CostBasis, holdPrices, type KeptCost, listOutdated, writeCosts } from './kept-costs.queries.ts';
import { amountMicros } from './price.rules.ts';

const simsAtOnce = 1000;
const withoutPrice = { cost_micros: -1, stands_to_bytes: null };

export interface KeepCostsOptions extends CostSources {
  pool: pg.Pool;
}

/**
 * Computes what running cycles have cost of all SIMs whose kept cost may no longer be true. Each thousand is committed by
 * itself; what one run does not reach the next one does.
 */
export const keepCosts = async (options: KeepCostsOptions, signal: AbortSignal): Promise<void> => {
  let after: number | undefined = 0;
  while (after !== undefined && !signal.aborted) after = await keepNext(options, after);
};

/** @returns the last SIM, undefined when no other is outdated */
const keepNext = ({ pool, ...sources }: KeepCostsOptions, after: number): Promise<number | undefined> =>
  inTransaction(pool, async (tx) => {
    await holdPrices(tx);
    const costs = await inSnapshot(pool, async (snapshot) =>
      computed(snapshot, await listOutdated(snapshot, { after, most: simsAtOnce }), sources),
    );
    if (costs.length > 0) await writeCosts(tx, costs);
    return costs.length < simsAtOnce ? undefined : costs.at(-1)?.sim_id;
  });

const computed = async (
  sql: Sql,
  outdated: readonly CostBasis[],
  sources: CostSources,
): Promise<KeptCost[]> => {
  const costs = new Map<string, Pick<KeptCost, 'cost_micros' | 'stands_to_bytes'>>();
  for (const orgId of new Set(outdated.map(({ org_id }) => org_id))) {
    const iccids = outdated.flatMap(({ org_id, iccid }) => (org_id === orgId ? [iccid] : []));
    const found = await readCosts(sql, { orgId, iccids, sources });
    for (const [iccid, { cost, standsTo }] of found) {
      costs.set(iccid, {
        cost_micros: amountMicros(cost),
        stands_to_bytes: standsTo === null ? null : Number(standsTo),
      });
    }
  }
  return outdated.map((basis) => ({ ...basis, ...(costs.get(basis.iccid) ?? withoutPrice) }));
};
