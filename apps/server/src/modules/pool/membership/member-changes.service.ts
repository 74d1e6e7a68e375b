import { limits } from '@simcube/contract';
import { groupBy } from '../../../platform/collections/index.ts';
import { type Sql, waitUntilWritten } from '../../../platform/db/index.ts';
import { findCycle, sumShards, sumTerms } from '../cycles/cycle.views.ts';
import { insertActivity, insertPoolEvent, type PoolCause } from '../cycles/history.queries.ts';
import { evaluatePool } from '../limit/limit.service.ts';
import { applyOwnLimit, markPooled, writeService } from '../limit/service.queries.ts';
import { endTerms, lockPool, type PoolRow } from '../pool.queries.ts';
import type { PoolCycle } from '../pool.rules.ts';
import { activateMembers } from './activation.service.ts';
import { endMembers, insertMembers, listIccids } from './membership.queries.ts';
import type { MembershipChange } from './membership.rules.ts';

/** A pool whose members change, locked until the transaction ends. */
interface PoolChange {
  pool: PoolRow;
  cycle: PoolCycle;
  now: Date;
  by: PoolCause;
}

type Leaving = Extract<MembershipChange, { kind: 'leave' }>;
type Joining = Extract<MembershipChange, { kind: 'join' }>;

/**
 * Changes the members of pools: one pool after another in the order of ids, each evaluated once. A SIM that leaves a
 * pool and joins one again does so in this order. The caller has locked the rows of the SIMs.
 */
export const changeMembers = async (
  tx: Sql,
  { changes, now, by = {} }: { changes: readonly MembershipChange[]; now: Date; by?: PoolCause | undefined },
): Promise<void> => {
  const byPool = groupBy(changes, ({ poolId }) => poolId);
  for (const [poolId, own] of [...byPool].toSorted(([a], [b]) => a - b)) {
    const pool = await lockPool(tx, poolId);
    const cycle = pool && (await findCycle(tx, poolId, now));
    if (!cycle) throw new Error(`Pool ${poolId} has no cycle`);
    const change = { pool, cycle, now, by };
    // Also for those that leave: their order may have begun, and usage since then counts for the pool.
    const simIds = own.filter(({ kind }) => kind !== 'join').map(({ simId }) => simId);
    await activateMembers(tx, { ...change, simIds });
    const leaving = groupBy(own.filter(isLeaving), ({ reason }) => reason);
    for (const members of leaving.values()) await removeMembers(tx, change, members);
    await addMembers(tx, change, own.filter(isJoining));
    await evaluatePool(tx, { poolId, now, changed: true });
  }
};

const isLeaving = (change: MembershipChange): change is Leaving => change.kind === 'leave';
const isJoining = (change: MembershipChange): change is Joining => change.kind === 'join';

const addMembers = async (tx: Sql, change: PoolChange, sims: readonly Joining[]): Promise<void> => {
  if (sims.length === 0) return;
  const { pool, now, by } = change;
  const simIds = sims.map(({ simId }) => simId);
  await withEvent(tx, change, { simIds, kind: 'SIM enrollment', facts: {} }, async () => {
    await insertMembers(tx, pool.id, sims);
    await markPooled(tx, simIds);
    await insertActivity(tx, { poolId: pool.id, simIds, at: now, kind: 'joined' }, by);
    await activateMembers(tx, { ...change, simIds });
  });
};

/** Removes members that leave for the same reason. */
const removeMembers = async (tx: Sql, change: PoolChange, members: readonly Leaving[]): Promise<void> => {
  const { pool, cycle, now, by } = change;
  // They leave after the last record that was counted.
  await waitUntilWritten(
    tx,
    members.map(({ simId }) => simId),
  );
  const ended = await endMembers(
    tx,
    members.map(({ simId, at }) => ({ simId, at: at ?? now })),
  );
  const simIds = ended.map(({ simId }) => simId);
  const event = { simIds, kind: 'SIM exit', facts: { reason: members[0]?.reason } } as const;
  await withEvent(tx, change, event, async () => {
    await endContributions(tx, { poolId: pool.id, cycle, members: ended });
    await insertActivity(tx, { poolId: pool.id, simIds, at: now, kind: 'left' }, by);
    await writeService(
      tx,
      simIds.map((simId) => ({ simId, until: null })),
    );
    await applyOwnLimit(tx, simIds);
  });
};

/** Members that left before the running cycle contribute nothing to it, however late their leaving becomes known. */
const endContributions = async (
  tx: Sql,
  left: { poolId: number; cycle: PoolCycle; members: readonly { simId: number; leftAt: Date }[] },
): Promise<void> => {
  const { poolId, cycle, members } = left;
  const isEarlier = ({ leftAt }: { leftAt: Date }): boolean => leftAt <= cycle.startedAt;
  const inRunning = members.filter((member) => !isEarlier(member)).map(({ simId }) => simId);
  await endTerms(tx, poolId, inRunning, cycle.endsAt);
  // Orders that end with a cycle end at the same instant.
  const byInstant = groupBy(members.filter(isEarlier), ({ leftAt }) => leftAt.getTime());
  for (const [leftAt, leavers] of byInstant) {
    const lastCycle = await findCycle(tx, poolId, new Date(leftAt - 1));
    const simIds = leavers.map(({ simId }) => simId);
    await endTerms(tx, poolId, simIds, lastCycle?.endsAt ?? cycle.endsAt);
  }
};

/** Changes a pool's members and records the event, with the limit before and after. */
const withEvent = async (
  tx: Sql,
  { pool, cycle, now, by }: PoolChange,
  event: {
    simIds: readonly number[];
    kind: 'SIM enrollment' | 'SIM exit';
    facts: Record<string, unknown>;
  },
  work: () => Promise<void>,
): Promise<void> => {
  const { simIds, kind, facts } = event;
  const limitBefore = await sumTerms(tx, pool.id, cycle.startedAt);
  await work();
  await insertPoolEvent(
    tx,
    {
      poolId: pool.id,
      at: now,
      kind,
      limitBefore,
      limitAfter: await sumTerms(tx, pool.id, cycle.startedAt),
      used: await sumShards(tx, pool.id, cycle.startedAt),
      sims: simIds.length,
      facts: { ...facts, iccids: await listIccids(tx, simIds, limits.previewSample) },
    },
    by,
  );
};
