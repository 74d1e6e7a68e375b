import type pg from 'pg';
import type { z } from 'zod';
import { inRepeatableTransaction, inSnapshot, type Sql } from '../../../platform/db/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { costsRisen, risesPerFact } from '../price.events.ts';
import { amountMicros, isFee, totalOf } from '../price.rules.ts';
import { type CostSources, readCosts } from './cost.views.ts';
import {
  type ChangedCost,
  type CostBasis,
  listOutdatedCosts,
  lockPrices,
  type StoredCost,
  writeCosts,
} from './stored-costs.queries.ts';

const batchSize = 1000;
const withoutPrice = { currency: null, cost_micros: -1, fees_micros: 0, stands_to_bytes: null };

export interface StoredCostsOptions extends CostSources {
  pool: pg.Pool;
}

/**
 * Computes the running cycles' costs of all SIMs whose stored cost may be outdated. Each thousand is committed
 * separately; the next run continues where one stops.
 */
export const refreshStoredCosts = async (options: StoredCostsOptions, signal: AbortSignal): Promise<void> => {
  let after: number | undefined = 0;
  while (after !== undefined && !signal.aborted) after = await refreshNextBatch(options, after);
};

/** @returns the last SIM, undefined when no further one is outdated */
const refreshNextBatch = (
  { pool, ...sources }: StoredCostsOptions,
  after: number,
): Promise<number | undefined> =>
  inRepeatableTransaction(pool, async (tx) => {
    await lockPrices(tx);
    const costs = await inSnapshot(pool, async (snapshot) =>
      computeCosts(snapshot, await listOutdatedCosts(snapshot, { after, limit: batchSize }), sources),
    );
    if (costs.length > 0) await emitRises(tx, await writeCosts(tx, costs));
    return costs.length < batchSize ? undefined : costs.at(-1)?.sim_id;
  });

/** Emits facts by organisation, each for a limited number of SIMs. */
const emitRises = async (tx: Sql, rises: readonly ChangedCost[]): Promise<void> => {
  const facts: { orgId: number; payload: z.input<typeof costsRisen.payload> }[] = [];
  for (const rise of rises) {
    const last = facts.at(-1);
    const hasRoom = last?.orgId === rise.org_id && last.payload.sims.length < risesPerFact;
    const fact = hasRoom ? last : { orgId: rise.org_id, payload: { sims: [] } };
    if (!hasRoom) facts.push(fact);
    fact.payload.sims.push({
      simId: rise.sim_id,
      cycleStartedAt: new Date(rise.cycle_started_ms).toISOString(),
      currency: rise.currency,
      formerMicros: rise.former_micros,
      micros: rise.cost_micros,
      feesMicros: rise.fees_micros,
    });
  }
  if (facts.length > 0) await emitMany(tx, costsRisen, facts);
};

const computeCosts = async (
  sql: Sql,
  outdated: readonly CostBasis[],
  sources: CostSources,
): Promise<StoredCost[]> => {
  const costs = new Map<string, Omit<StoredCost, keyof CostBasis>>();
  for (const orgId of new Set(outdated.map(({ org_id }) => org_id))) {
    const iccids = outdated.flatMap(({ org_id, iccid }) => (org_id === orgId ? [iccid] : []));
    const found = await readCosts(sql, { orgId, iccids, sources });
    for (const [iccid, { cost, validUpTo }] of found) {
      costs.set(iccid, {
        currency: cost.currency,
        cost_micros: amountMicros(cost),
        fees_micros: amountMicros({
          currency: cost.currency,
          total_minor: totalOf(cost.lines.filter(isFee)),
        }),
        stands_to_bytes: validUpTo === null ? null : Number(validUpTo),
      });
    }
  }
  return outdated.map((basis) => ({ ...basis, ...(costs.get(basis.iccid) ?? withoutPrice) }));
};
