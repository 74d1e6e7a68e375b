import type { PoolExitReason } from '@simcube/contract/pool';
import type { Sql } from '../../../platform/db/index.ts';
import type { PoolCause } from '../cycles/history.queries.ts';
import { lockSimRows } from '../limit/service.queries.ts';
import { changeMembers } from './member-changes.service.ts';
import { listMemberFacts } from './membership.queries.ts';
import { changesDue, ineligibilityOf, type MemberFacts, type MembershipChange } from './membership.rules.ts';

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
  { poolId, sims, now, by }: Change & { poolId: number; sims: readonly NewMember[] },
): Promise<void> => {
  await lockSimRows(
    tx,
    sims.map(({ simId }) => simId),
  );
  const changes = sims.map((sim) => ({ kind: 'join', poolId, ...sim }) as const);
  await changeMembers(tx, { changes, now, by });
};

/**
 * Removes SIMs from their pools now. Their contribution and usage remain until the end of the cycle in which they
 * left.
 */
export const exitSims = async (
  tx: Sql,
  { simIds, reason, now, by }: Change & { simIds: readonly number[]; reason: PoolExitReason },
): Promise<void> => {
  await lockSimRows(tx, simIds);
  const changes = (await listMemberFacts(tx, simIds)).flatMap(({ simId, poolId }): MembershipChange[] =>
    poolId === null ? [] : [{ kind: 'leave', poolId, simId, reason }],
  );
  await changeMembers(tx, { changes, now, by });
};

/**
 * Applies orders that began or ended to memberships, based on the SIMs' current state. SIMs are locked only if
 * something must be done. A concurrent change sees the orders that the facts are about.
 */
export const syncMemberships = (tx: Sql, work: { simIds: readonly number[]; now: Date }): Promise<void> =>
  applyDue(tx, work, changesDue);

/** The SIMs whose membership does not match their state. */
export const findDueSims = async (sql: Sql, simIds: readonly number[]): Promise<Set<number>> =>
  new Set((await listMemberFacts(sql, simIds)).flatMap(changesDue).map(({ simId }) => simId));

/** Removes members that expired, were terminated or moved to another organisation from their pools. */
export const removeIneligibleMembers = (
  tx: Sql,
  work: { simIds: readonly number[]; now: Date },
): Promise<void> => applyDue(tx, work, ineligibilityOf);

/** All rows of SIMs are locked in the order of ids before anything of a pool is, as in intake. */
const applyDue = async (
  tx: Sql,
  { simIds, now }: { simIds: readonly number[]; now: Date },
  dueOf: (facts: MemberFacts) => MembershipChange[],
): Promise<void> => {
  const due = (await listMemberFacts(tx, simIds)).filter((facts) => dueOf(facts).length > 0);
  if (due.length === 0) return;
  const dueIds = due.map(({ simId }) => simId);
  await lockSimRows(tx, dueIds);
  await changeMembers(tx, { changes: (await listMemberFacts(tx, dueIds)).flatMap(dueOf), now });
};
