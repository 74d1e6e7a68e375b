import type { SimCost } from '@simcube/contract/price';
import type pg from 'pg';
import { inSnapshot } from '../../platform/db/index.ts';
import { type FindNetworkUsage, readCosts } from './cost.views.ts';

export interface CostOptions {
  pool: pg.Pool;
  networkUsage: FindNetworkUsage;
}

export interface CostQuestion {
  orgId: number;
  iccids: readonly string[];
}

/**
 * What the running cycles of an organisation's SIMs have cost so far, by ICCID; those without a price are left out. Counters
 * and rollups are read at one moment: usage of a zone is part of what the counter has.
 */
export const costsOf = async (
  { pool, networkUsage }: CostOptions,
  wanted: CostQuestion,
): Promise<Map<string, SimCost>> => {
  if (wanted.iccids.length === 0) return new Map();
  const found = await inSnapshot(pool, (tx) => readCosts(tx, { ...wanted, networkUsage }));
  return new Map([...found].map(([iccid, { cost }]) => [iccid, cost]));
};
