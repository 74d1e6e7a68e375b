import type pg from 'pg';
import { inTransaction, type Sql } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { emit } from '../../platform/outbox/index.ts';
import { findCycle, findLaunchLimit, listBegunCycles, sumShards, sumTerms } from './cycles/cycle.views.ts';
import { insertPoolEvent } from './cycles/history.queries.ts';
import { compareWithLimit, enforcePools, evaluatePool } from './limit/limit.service.ts';
import { countMembers, countOverage } from './limit/service.queries.ts';
import { poolEvaluated } from './pool.events.ts';
import {
  listPoolsToEvaluate,
  listPoolsToRollOver,
  lockPool,
  type PoolRow,
  updateCycle,
} from './pool.queries.ts';
import type { CycleRow } from './pool.rules.ts';
import { cycleHorizon, prepareCycles } from './pool.service.ts';

/**
 * Records cycles that have turned: a pool over its limit has recovered, and a new cycle began. Counting and stopping
 * depend on time alone and don't wait for this.
 * @returns the number of pools
 */
export const rollOverPools = async (work: PoolWork): Promise<number> => {
  const { pool, now } = work;
  const poolIds = await listDueRollovers(pool, now);
  return forEachPool(work, poolIds, (poolId) => inTransaction(pool, (tx) => rollOverPool(tx, poolId, now)));
};

interface PoolWork {
  pool: pg.Pool;
  now: Date;
  log: Log;
}

/** @returns how many succeeded. One that fails is logged, and stops no other: the next run tries it again. */
const forEachPool = async (
  { log }: PoolWork,
  poolIds: readonly number[],
  work: (poolId: number) => Promise<unknown>,
): Promise<number> => {
  let succeeded = 0;
  for (const poolId of poolIds) {
    try {
      await work(poolId);
      succeeded += 1;
    } catch (err) {
      log.error({ poolId, err }, 'a pool could not be evaluated');
    }
  }
  return succeeded;
};

export const listDueRollovers = (sql: Sql, now: Date): Promise<number[]> =>
  listPoolsToRollOver(sql, { now, ahead: cycleHorizon(now) });

export const rollOverPool = async (tx: Sql, poolId: number, now: Date): Promise<void> => {
  const pool = await lockPool(tx, poolId);
  if (!pool) return;
  await prepareCycles(tx, pool, now);
  const begun = await listBegunCycles(tx, poolId, now);
  for (const cycle of begun) await launchCycle(tx, pool, { cycle, now });
  if (begun.length > 0) await evaluatePool(tx, { poolId, now, changed: true });
};

/** Records that a cycle began, and that the one before is over with its overage. */
const launchCycle = async (
  tx: Sql,
  { id: poolId, policy }: PoolRow,
  { cycle, now }: { cycle: CycleRow; now: Date },
): Promise<void> => {
  const before = await findCycle(tx, poolId, new Date(cycle.startedAt.getTime() - 1));
  const limitBefore = before ? await sumTerms(tx, poolId, before.startedAt) : 0;
  const at = cycle.startedAt;
  const limitAfter = await sumTerms(tx, poolId, cycle.startedAt);
  const figures = { poolId, at, limitBefore, limitAfter };
  if (before?.overAt) {
    const sims = policy === 'no limit' ? 0 : await countOverage(tx, poolId, before.startedAt);
    const used = await sumShards(tx, poolId, before.startedAt);
    const facts = spanOf(before);
    await insertPoolEvent(tx, { ...figures, kind: 'overage recovery', used, sims, facts }, {});
  }
  await updateCycle(tx, poolId, { ...cycle, launchedAt: now });
  const sims = await countMembers(tx, poolId);
  const used = await sumShards(tx, poolId, cycle.startedAt);
  await insertPoolEvent(tx, { ...figures, kind: 'new pool launch', used, sims, facts: spanOf(cycle) }, {});
};

/**
 * Records that a cycle that is over went over its limit by usage that became known late: at its end, and, if the start
 * of the next one is already recorded, the recovery with it. Nobody is stopped: the cycle that runs has a limit of its own.
 * @returns false if the cycle is not over
 */
export const evaluateEndedCycle = async (
  tx: Sql,
  { poolId, startedAt, now }: { poolId: number; startedAt: Date; now: Date },
): Promise<boolean> => {
  const pool = await lockPool(tx, poolId);
  const cycle = pool && (await findCycle(tx, poolId, startedAt));
  if (!cycle || cycle.endsAt > now) return false;
  const of = { poolId, cycleStart: cycle.startedAt, stopsWhenOver: false };
  const { used, limit, isOver } = await compareWithLimit(tx, of);
  if (!isOver || cycle.overAt) return true;
  const overAt = new Date(cycle.endsAt.getTime() - 1);
  await updateCycle(tx, poolId, { ...cycle, overAt });
  const sims = pool.policy === 'no limit' ? 0 : await countOverage(tx, poolId, cycle.startedAt);
  const figures = { poolId, used, sims, limitBefore: limit };
  await insertPoolEvent(
    tx,
    { ...figures, at: overAt, limitAfter: limit, kind: 'pool overage', facts: {} },
    {},
  );
  const next = await findCycle(tx, poolId, cycle.endsAt);
  if (next?.launchedAt) {
    // Not the limit of today, which SIMs that joined since have raised.
    const limitAfter = await findLaunchLimit(tx, poolId, next.startedAt);
    const facts = spanOf(cycle);
    await insertPoolEvent(
      tx,
      { ...figures, at: cycle.endsAt, limitAfter, kind: 'overage recovery', facts },
      {},
    );
  }
  await emit(tx, poolEvaluated, { orgId: pool.orgId, payload: { poolId } });
  return true;
};

const spanOf = ({ startedAt, endsAt }: { startedAt: Date; endsAt: Date }) => ({
  cycle_started_at: startedAt.toISOString(),
  cycle_ends_at: endsAt.toISOString(),
});

/** Evaluates pools again whose evaluation may have been missed, and stops or releases members where that has not been done yet. */
export const reconcilePools = async (work: PoolWork): Promise<void> => {
  const { pool, now } = work;
  await forEachPool(work, await listPoolsToEvaluate(pool, now), async (poolId) => {
    await inTransaction(pool, (tx) => evaluatePool(tx, { poolId, now }));
    await inTransaction(pool, (tx) => enforcePools(tx, { poolIds: [poolId], now }));
  });
};
