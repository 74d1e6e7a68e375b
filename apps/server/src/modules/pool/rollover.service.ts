import type pg from 'pg';
import { inTransaction, type Sql } from '../../platform/db/index.ts';
import { findCycle, sumShards, sumTerms } from './cycle.views.ts';
import { insertPoolEvent } from './history.queries.ts';
import { enforcePool, evaluatePool } from './limit.service.ts';
import { listPoolsToEvaluate, listPoolsToRollOver, lockPool, updateCycle } from './pool.queries.ts';
import { cycleHorizon, prepareCycles } from './pool.service.ts';
import { countMembers, countOverage } from './service.queries.ts';

/**
 * Records cycles that have turned: a pool over its limit has recovered, and a new cycle began. Counting and stopping
 * depend on time alone and don't wait for this.
 * @returns the number of pools
 */
export const rollOverPools = async (pool: pg.Pool, now: Date): Promise<number> => {
  const poolIds = await listDueRollovers(pool, now);
  for (const poolId of poolIds) await inTransaction(pool, (tx) => rollOverPool(tx, poolId, now));
  return poolIds.length;
};

export const listDueRollovers = (sql: Sql, now: Date): Promise<number[]> =>
  listPoolsToRollOver(sql, { now, ahead: cycleHorizon(now) });

export const rollOverPool = async (tx: Sql, poolId: number, now: Date): Promise<void> => {
  const pool = await lockPool(tx, poolId);
  if (!pool) return;
  await prepareCycles(tx, pool, now);
  const cycle = await findCycle(tx, poolId, now);
  if (!cycle || cycle.launchedAt) return;
  const before = await findCycle(tx, poolId, new Date(cycle.startedAt.getTime() - 1));
  const limitBefore = before ? await sumTerms(tx, poolId, before.startedAt) : 0;
  const at = cycle.startedAt;
  const limitAfter = await sumTerms(tx, poolId, cycle.startedAt);
  const figures = { poolId, at, limitBefore, limitAfter };
  if (before?.overAt) {
    const sims = pool.policy === 'no limit' ? 0 : await countOverage(tx, poolId, before.startedAt);
    const used = await sumShards(tx, poolId, before.startedAt);
    const facts = spanOf(before);
    await insertPoolEvent(tx, { ...figures, kind: 'overage recovery', used, sims, facts }, {});
  }
  await updateCycle(tx, poolId, { ...cycle, launchedAt: now });
  const sims = await countMembers(tx, poolId);
  const used = await sumShards(tx, poolId, cycle.startedAt);
  await insertPoolEvent(tx, { ...figures, kind: 'new pool launch', used, sims, facts: spanOf(cycle) }, {});
  await evaluatePool(tx, { poolId, now, changed: true });
};

const spanOf = ({ startedAt, endsAt }: { startedAt: Date; endsAt: Date }) => ({
  cycle_started_at: startedAt.toISOString(),
  cycle_ends_at: endsAt.toISOString(),
});

/** Evaluates pools again whose evaluation may have been missed, and stops or releases members where that has not been done yet. */
export const reconcilePools = async (pool: pg.Pool, now: Date): Promise<void> => {
  for (const poolId of await listPoolsToEvaluate(pool, now)) {
    await inTransaction(pool, (tx) => evaluatePool(tx, { poolId, now }));
    await inTransaction(pool, (tx) => enforcePool(tx, { poolId, now }));
  }
};
