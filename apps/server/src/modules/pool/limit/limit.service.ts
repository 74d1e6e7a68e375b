import { groupBy, inChunks } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { emit, emitMany } from '../../../platform/outbox/index.ts';
import { findCycle, sumTerms } from '../cycles/cycle.views.ts';
import { insertActivity, insertPoolEvent } from '../cycles/history.queries.ts';
import { poolEvaluated, poolServiceChanged, simsPerFact } from '../pool.events.ts';
import { lockPool, lockShards, type PoolRow, setShardThresholds, updateCycle } from '../pool.queries.ts';
import { type CycleRow, shardThresholds } from '../pool.rules.ts';
import { countOverage, listServiceChanges, lockSimRows, writeService } from './service.queries.ts';

/** A pool with its running cycle and figures, locked until the transaction ends. */
export interface PoolEvaluation {
  pool: PoolRow;
  cycle: CycleRow;
  used: number;
  limit: number;
}

/**
 * Checks whether the pool has used up its limit: records when it goes over it or comes back, and arms its counters
 * again. Members are stopped in a separate transaction (`enforcePools`), because the counters are locked here. If the
 * caller locks rows of SIMs, it must do so before.
 * @returns undefined if there is no such pool
 */
export const evaluatePool = async (
  tx: Sql,
  { poolId, now, changed = false }: { poolId: number; now: Date; changed?: boolean },
): Promise<PoolEvaluation | undefined> => {
  const pool = await lockPool(tx, poolId);
  const cycle = pool && (await findCycle(tx, poolId, now));
  if (!cycle) return undefined;
  const { used, limit, isOver } = await compareWithLimit(tx, {
    poolId,
    cycleStart: cycle.startedAt,
    stopsWhenOver: pool.policy === 'stop overage SIMs',
  });
  const evaluation = {
    pool,
    cycle: { ...cycle, overAt: isOver ? (cycle.overAt ?? now) : null },
    used,
    limit,
  };
  const crossed = isOver !== (cycle.overAt !== null);
  if (crossed) {
    await updateCycle(tx, poolId, evaluation.cycle);
    const sims = pool.policy === 'no limit' ? 0 : await countOverage(tx, poolId, cycle.startedAt);
    await insertPoolEvent(
      tx,
      {
        poolId,
        at: now,
        used,
        sims,
        facts: {},
        kind: isOver ? 'pool overage' : 'overage recovery',
        limitBefore: limit,
        limitAfter: limit,
      },
      {},
    );
  }
  // A new cycle's counter does not know that the limit was used up before.
  if (crossed || changed || isOver) await emit(tx, poolEvaluated, { orgId: pool.orgId, payload: { poolId } });
  return evaluation;
};

/** Compares a cycle's usage with its limit and arms its counter again, which stays locked. The pool is locked. */
export const compareWithLimit = async (
  tx: Sql,
  { poolId, cycleStart, stopsWhenOver }: { poolId: number; cycleStart: Date; stopsWhenOver: boolean },
): Promise<{ used: number; limit: number; isOver: boolean }> => {
  const shards = await lockShards(tx, poolId, cycleStart);
  const used = shards.reduce((sum, shard) => sum + shard.used, 0);
  const limit = await sumTerms(tx, poolId, cycleStart);
  const isOver = used > 0 && used >= limit;
  await setShardThresholds(
    tx,
    { poolId, cycleStart, stops: isOver && stopsWhenOver },
    isOver ? unreachableThresholds(shards) : shardThresholds(shards, limit),
  );
  return { used, limit, isOver };
};

/** Used while the pool is over its limit: nothing more happens to it as a whole in this cycle, so usage triggers no evaluation. */
const unreachableThresholds = (shards: readonly { shard: number }[]): Map<number, number> =>
  new Map(shards.map(({ shard }) => [shard, Number.MAX_SAFE_INTEGER]));

/**
 * Stops the members that used more than their own contribution while their pool is over its limit, and releases all
 * others. Locks rows of SIMs, but nothing of the pools. Concurrently counted usage is reported by a separate fact.
 * @param simIds the SIMs to check; all members of the pools if omitted
 */
export const enforcePools = async (
  tx: Sql,
  { poolIds, now, simIds }: { poolIds: readonly number[]; now: Date; simIds?: readonly number[] | undefined },
): Promise<void> => {
  const found = (await listServiceChanges(tx, { poolIds, now, simIds })).map(({ simId }) => simId);
  if (found.length === 0) return;
  await lockSimRows(tx, found);
  // Only now: a member that was leaving until its row could be locked must not remain stopped.
  const changes = await listServiceChanges(tx, { poolIds, now, simIds: found });
  await writeService(tx, changes);
  for (const [poolId, own] of groupBy(changes, (change) => change.poolId)) {
    for (const [isStopped, sims] of groupBy(own, ({ stops }) => stops)) {
      const [orgId, ids] = [sims[0]?.orgId ?? null, sims.map(({ simId }) => simId)];
      await insertActivity(tx, { poolId, simIds: ids, at: now, kind: isStopped ? 'stopped' : 'back' });
      await emitMany(
        tx,
        poolServiceChanged,
        inChunks(ids, simsPerFact).map((part) => ({ orgId, payload: { poolId, isStopped, simIds: part } })),
      );
    }
  }
};
