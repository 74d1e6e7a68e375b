import type pg from 'pg';
import { oldestRetainedMonth } from '../usage/index.ts';
import { comparePoolUsage, listPoolIds, type PoolDifferenceFound } from './verify.queries.ts';

/**
 * Compares counters, members and hours of all pools with the CDRs that are retained. Only reads, and may run beside intake.
 * @returns how many pools were compared, and what differs
 */
export const verifyPools = async (
  pool: pg.Pool,
  now: Date,
): Promise<{ pools: number; differences: PoolDifferenceFound[] }> => {
  const from = await oldestRetainedMonth(pool, now);
  const poolIds = await listPoolIds(pool);
  const differences: PoolDifferenceFound[] = [];
  for (const poolId of poolIds)
    differences.push(...(await comparePoolUsage(pool, poolId, { from, until: now })));
  return { pools: poolIds.length, differences };
};
