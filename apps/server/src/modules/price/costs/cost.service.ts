import type { CycleCost, PoolCost } from '@simcube/contract/price';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inSnapshot, type Sql } from '../../../platform/db/index.ts';
import {
  type CostSources,
  type FindPoolCycle,
  type ListMemberSpans,
  readCosts,
  readPoolCost,
} from './cost.views.ts';

export interface CostOptions extends CostSources {
  pool: pg.Pool;
  clock: Clock;
  findPoolCycle: FindPoolCycle;
  listMemberSpans: ListMemberSpans;
}

export interface CostQuery {
  orgId: number;
  iccids: readonly string[];
  /** Read in this snapshot, together with other data. */
  snapshot?: Sql;
}

/**
 * Costs of the running cycles of an organisation's SIMs so far, by ICCID; those without a price are left out.
 * Counters and rollups are read in one snapshot, because usage in a zone is part of the counter.
 */
export const costsOf = async (
  { pool, ...sources }: CostSources & Pick<CostOptions, 'pool'>,
  query: CostQuery,
): Promise<Map<string, CycleCost>> => {
  if (query.iccids.length === 0) return new Map();
  const read = (tx: Sql) => readCosts(tx, { ...query, sources });
  const costs = await (query.snapshot ? read(query.snapshot) : inSnapshot(pool, read));
  return new Map([...costs].map(([iccid, { cost }]) => [iccid, cost]));
};

/**
 * The cost of a shared pool's running cycle so far; null without a price.
 * @returns undefined for a pool that does not belong to the organisation
 */
export const poolCost = (
  { pool, clock, ...sources }: CostOptions,
  query: { orgId: number; id: number },
): Promise<PoolCost | null | undefined> =>
  inSnapshot(pool, async (tx) => {
    const cycle = await sources.findPoolCycle(tx, { ...query, now: clock.now() });
    return cycle && readPoolCost(tx, query, { cycle, ...sources });
  });
