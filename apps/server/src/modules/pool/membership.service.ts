import { limits } from '@simcube/contract';
import type { PoolExitReason } from '@simcube/contract/pool';
import { lifecycleNumbers } from '@simcube/contract/sim';
import { groupBy } from '../../platform/collections/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { waitUntilWritten } from '../usage/index.ts';
import { countForPools, listRecordsSince } from './counting.queries.ts';
import { findCycle, sumShards, sumTerms } from './cycle.views.ts';
import { insertActivity, insertPoolEvent, type PoolCause } from './history.queries.ts';
import { evaluatePool } from './limit.service.ts';
import {
  endMembers,
  insertMembers,
  listIccids,
  listMemberFacts,
  type MemberFacts,
  updateActivated,
} from './membership.queries.ts';
import {
  endTerms,
  findAutomaticPool,
  insertTerms,
  listContributors,
  lockPool,
  type PoolRow,
} from './pool.queries.ts';
import { contributionOf, type Term } from './pool.rules.ts';
import { lockSimRows, markPooled, writeService } from './service.queries.ts';

interface Change {
  now: Date;
  by?: PoolCause;
}

/** A joining SIM, and from when it counts. */
interface NewMember {
  simId: number;
  enrolledAt: Date;
}

/** Adds SIMs that are in no pool to one; active ones contribute and count from then on. The caller has locked the SIMs. */
export const enrolSims = async (
  tx: Sql,
  { poolId, sims, now, by = {} }: Change & { poolId: number; sims: readonly NewMember[] },
): Promise<void> => {
  if (sims.length === 0) return;
  const simIds = sims.map(({ simId }) => simId);
  await lockSimRows(tx, simIds);
  await changeMembers(tx, { poolId, simIds, now, by, kind: 'SIM enrollment' }, async (pool, cycle) => {
    await insertMembers(tx, poolId, sims);
    await markPooled(tx, simIds);
    await insertActivity(tx, { poolId, simIds, at: now, kind: 'joined' }, by);
    await activateMembers(tx, { pool, cycle, facts: await listMemberFacts(tx, simIds), now, by });
  });
};

/**
 * Removes SIMs from their pools, each at its instant or now. Their contribution and usage remain until the end of the
 * cycle in which they left.
 */
export const exitSims = async (
  tx: Sql,
  exit: Change & { simIds: readonly number[]; at?: ReadonlyMap<number, Date>; reason: PoolExitReason },
): Promise<void> => {
  const { simIds, at, reason, now, by = {} } = exit;
  if (simIds.length === 0) return;
  await lockSimRows(tx, simIds);
  // An order may have begun that is not recorded yet; usage since then counts for the pool.
  for (const facts of await listMemberFacts(tx, simIds)) {
    if (activationOf(facts)) await activateMember(tx, facts, now);
  }
  const ended = await endMembers(
    tx,
    simIds.map((simId) => ({ simId, at: at?.get(simId) ?? now })),
  );
  const byPool = groupBy(ended, ({ poolId }) => poolId);
  for (const [poolId, members] of [...byPool].toSorted(([a], [b]) => a - b)) {
    const left = members.map(({ simId }) => simId);
    const change = { poolId, simIds: left, now, by, kind: 'SIM exit', facts: { reason } } as const;
    await changeMembers(tx, change, async (_, cycle) => {
      await endContributions(tx, { poolId, cycle, members });
      await insertActivity(tx, { poolId, simIds: left, at: now, kind: 'left' }, by);
      await writeService(
        tx,
        left.map((simId) => ({ simId, until: null })),
      );
    });
  }
};

/** Members that left before the running cycle contribute nothing to it, however late their leaving becomes known. */
const endContributions = async (
  tx: Sql,
  left: { poolId: number; cycle: Cycle; members: readonly { simId: number; leftAt: Date }[] },
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

type Cycle = NonNullable<Awaited<ReturnType<typeof findCycle>>>;

/** Changes a pool's members and records the event, with the limit before and after. */
const changeMembers = async (
  tx: Sql,
  change: Required<Change> & {
    poolId: number;
    simIds: readonly number[];
    kind: 'SIM enrollment' | 'SIM exit';
    facts?: Record<string, unknown>;
  },
  work: (pool: PoolRow, cycle: Cycle) => Promise<void>,
): Promise<void> => {
  const { poolId, simIds, now, by, kind, facts = {} } = change;
  const pool = await lockPool(tx, poolId);
  const cycle = pool && (await findCycle(tx, poolId, now));
  if (!cycle) throw new Error(`Pool ${poolId} has no cycle`);
  const limitBefore = await sumTerms(tx, poolId, cycle.startedAt);
  await work(pool, cycle);
  await insertPoolEvent(
    tx,
    {
      ...{ poolId, at: now, kind, limitBefore },
      limitAfter: await sumTerms(tx, poolId, cycle.startedAt),
      used: await sumShards(tx, poolId, cycle.startedAt),
      sims: simIds.length,
      facts: { ...facts, iccids: await listIccids(tx, simIds, limits.previewSample) },
    },
    by,
  );
  await evaluatePool(tx, { poolId, now, changed: true });
};

/** From when a member whose order has begun contributes and counts, if that is not recorded yet. */
const activationOf = ({ inUseSince, enrolledAt, activatedAt }: MemberFacts): Date | undefined => {
  if (!inUseSince || !enrolledAt || activatedAt) return undefined;
  return inUseSince > enrolledAt ? inUseSince : enrolledAt;
};

/** Records activations of members, with their usage since then. */
const activateMembers = async (
  tx: Sql,
  work: Required<Change> & { pool: PoolRow; cycle: Cycle; facts: readonly MemberFacts[] },
): Promise<void> => {
  const { pool, cycle, facts, now, by } = work;
  const active = facts.flatMap((member) => {
    const at = member.poolId === pool.id ? activationOf(member) : undefined;
    return at ? [{ simId: member.simId, at }] : [];
  });
  if (active.length === 0) return;
  const simIds = active.map(({ simId }) => simId);
  const isInCurrentCycle = ({ at }: Activation): boolean => at >= cycle.startedAt;
  const terms = await termsOf(tx, { pool, cycle, members: active.filter(isInCurrentCycle) });
  // The cycle may have turned since; each member contributes from the cycle in which it became active.
  for (const late of active.filter((one) => !isInCurrentCycle(one))) {
    const pastCycle = (await findCycle(tx, pool.id, late.at)) ?? cycle;
    terms.push(...(await termsOf(tx, { pool, cycle: pastCycle, members: [late] })));
  }
  await insertTerms(tx, pool.id, terms, now);
  await updateActivated(tx, active);
  await insertActivity(tx, { poolId: pool.id, simIds, at: now, kind: 'activated' }, by);
  // Also for members that join now, because gateway clocks may be ahead.
  await waitUntilWritten(tx, simIds);
  for (const statement of countForPools(await listRecordsSince(tx, active))) await tx.query(statement);
};

interface Activation {
  simId: number;
  at: Date;
}

/** What members that became active in the same cycle add to the limit. */
const termsOf = async (
  tx: Sql,
  { pool, cycle, members }: { pool: PoolRow; cycle: Cycle; members: readonly Activation[] },
): Promise<(Term & { simId: number })[]> => {
  if (members.length === 0) return [];
  const { id, activationRule: rule, baseBytes } = pool;
  const simIds = members.map(({ simId }) => simId);
  const contributors = await listContributors(tx, id, simIds, cycle.startedAt);
  return members.flatMap(({ simId, at }) =>
    contributionOf({ rule, baseBytes, cycle, at, hasContributed: contributors.has(simId) }).map((term) => ({
      ...term,
      simId,
    })),
  );
};

/**
 * Applies orders that began or ended to memberships, based on the SIM's current state: an activation on an automatic
 * pool's bundle enrols the SIM, a member's activation starts its contribution, and a SIM without an order of the
 * pool's bundle leaves. A SIM is locked only if something must be done: a transaction has facts of many SIMs in no
 * particular order, and locking all of them would block intake. A concurrent change sees the order that the fact is
 * about.
 */
export const syncMembership = async (
  tx: Sql,
  { simId, now }: { simId: number; now: Date },
): Promise<void> => {
  if (!(await findMembershipChange(tx, { simId, now }))) return;
  await lockSimRows(tx, [simId]);
  const change = await findMembershipChange(tx, { simId, now });
  await change?.();
};

/** The change to a SIM's membership, if any is due. */
const findMembershipChange = async (
  tx: Sql,
  { simId, now }: { simId: number; now: Date },
): Promise<(() => Promise<void>) | undefined> => {
  const [facts] = await listMemberFacts(tx, [simId]);
  if (!facts) return;
  const { poolId, orgId, bundleId, inUseSince, isPending } = facts;
  if (poolId !== null) {
    const exitReason = exitReasonOf(facts) ?? (inUseSince || isPending ? undefined : 'bundle-ended');
    if (exitReason)
      return () => exitSims(tx, { simIds: [simId], at: exitTimesOf([facts]), reason: exitReason, now });
    return activationOf(facts) && (() => activateMember(tx, facts, now));
  }
  if (bundleId === null || !inUseSince) return;
  const automatic = await findAutomaticPool(tx, { orgId, bundleId });
  // SIMs activated before the pool became automatic are enrolled by an administrator while it is manual.
  if (!automatic || inUseSince < automatic.since) return;
  return () => enrolSims(tx, { poolId: automatic.id, sims: [{ simId, enrolledAt: inUseSince }], now });
};

const activateMember = async (tx: Sql, facts: MemberFacts, now: Date): Promise<void> => {
  if (facts.poolId === null) return;
  const pool = await lockPool(tx, facts.poolId);
  const cycle = pool && (await findCycle(tx, pool.id, now));
  if (!cycle) return;
  await activateMembers(tx, { pool, cycle, facts: [facts], now, by: {} });
  await evaluatePool(tx, { poolId: pool.id, now, changed: true });
};

/** Removes members that expired, were terminated or moved to another organisation from their pools. */
export const removeIneligibleMembers = async (
  tx: Sql,
  { simIds, now }: { simIds: readonly number[]; now: Date },
): Promise<void> => {
  const members = (await listMemberFacts(tx, simIds)).filter(({ poolId }) => poolId !== null);
  const byReason = groupBy(members, exitReasonOf);
  for (const [reason, sims] of byReason) {
    if (!reason) continue;
    await exitSims(tx, { simIds: sims.map(({ simId }) => simId), at: exitTimesOf(sims), reason, now });
  }
};

/** Why a SIM can no longer be a member, according to its own state. */
const exitReasonOf = ({ lifecycle, orgId, poolOrgId }: MemberFacts): PoolExitReason | undefined => {
  if (lifecycle === lifecycleNumbers.terminated) return 'terminated';
  if (lifecycle === lifecycleNumbers.expired) return 'expired';
  return poolOrgId === orgId ? undefined : 'transferred';
};

/**
 * When members left because of their own state: when their lifecycle changed, or else when their order ended. Members
 * that are being transferred leave now.
 */
const exitTimesOf = (members: readonly MemberFacts[]): Map<number, Date> =>
  new Map(
    members.flatMap((facts) => {
      const reason = exitReasonOf(facts);
      if (reason === 'transferred') return [];
      const at = reason ? facts.lifecycleChangedAt : facts.orderEndedAt;
      return at ? [[facts.simId, at] as const] : [];
    }),
  );
