import type { PoolExitReason } from '@simcube/contract/pool';
import { lifecycleNumbers } from '@simcube/contract/sim';

/** The state of a SIM that decides about its membership. */
export interface MemberFacts {
  simId: number;
  orgId: number;
  /** One of `lifecycleNumbers`. */
  lifecycle: number;
  /** Its current pool, with the pool's organisation and how long the SIM has been in it. */
  poolId: number | null;
  poolOrgId: number | null;
  enrolledAt: Date | null;
  activatedAt: Date | null;
  /** If it is in no pool: the one that enrols SIMs activated on its bundle, and since when. */
  automaticPoolId: number | null;
  automaticSince: Date | null;
  /** Since when an order of the pool's bundle (or of the SIM's bundle, if it is in no pool) is in use. */
  inUseSince: Date | null;
  /** Whether one of these orders is pending. */
  isPending: boolean;
  /** When the last of these orders ended. */
  orderEndedAt: Date | null;
  lifecycleChangedAt: Date;
}

/** What happens to a SIM's membership in a pool. A SIM that leaves does so at an instant, or now. */
export type MembershipChange = { poolId: number; simId: number } & (
  | { kind: 'join'; enrolledAt: Date }
  | { kind: 'activate' }
  | { kind: 'leave'; reason: PoolExitReason; at?: Date | undefined }
);

/** From when a member whose order has begun contributes and counts, if that is not recorded yet. */
export const activationOf = ({ inUseSince, enrolledAt, activatedAt }: MemberFacts): Date | undefined => {
  if (!inUseSince || !enrolledAt || activatedAt) return undefined;
  return inUseSince > enrolledAt ? inUseSince : enrolledAt;
};

/**
 * What follows from the state of a SIM and its orders: an activation on an automatic pool's bundle enrols it, a
 * member's activation starts its contribution, and a SIM without an order of the pool's bundle leaves. One with a
 * further order that waits leaves, too, and joins again.
 */
export const changesDue = (facts: MemberFacts): MembershipChange[] => {
  const { simId, poolId, automaticPoolId, automaticSince, inUseSince } = facts;
  if (poolId === null) {
    // SIMs activated before the pool became automatic are enrolled by an administrator while it is manual.
    if (automaticPoolId === null || !automaticSince || !inUseSince || inUseSince < automaticSince) return [];
    return [{ kind: 'join', poolId: automaticPoolId, simId, enrolledAt: inUseSince }];
  }
  const ineligible = ineligibilityOf(facts);
  if (ineligible.length > 0) return ineligible;
  if (inUseSince) return activationOf(facts) ? [{ kind: 'activate', poolId, simId }] : [];
  const { activatedAt, isPending, orderEndedAt } = facts;
  if (isPending && !activatedAt) return [];
  const leave = {
    kind: 'leave',
    poolId,
    simId,
    reason: 'bundle-ended',
    at: orderEndedAt ?? undefined,
  } as const;
  // Its data is that of another bundle until the further order begins: it waits again, like a new member.
  if (isPending && orderEndedAt) return [leave, { kind: 'join', poolId, simId, enrolledAt: orderEndedAt }];
  return isPending ? [] : [leave];
};

/** The end of a membership that the SIM's own state does not allow: it expired, was terminated or transferred. */
export const ineligibilityOf = (facts: MemberFacts): MembershipChange[] => {
  const { simId, poolId, lifecycleChangedAt } = facts;
  const reason = exitReasonOf(facts);
  if (poolId === null || !reason) return [];
  const at = reason === 'transferred' ? undefined : lifecycleChangedAt;
  return [{ kind: 'leave', poolId, simId, reason, at }];
};

const exitReasonOf = ({ lifecycle, orgId, poolOrgId }: MemberFacts): PoolExitReason | undefined => {
  if (lifecycle === lifecycleNumbers.terminated) return 'terminated';
  if (lifecycle === lifecycleNumbers.expired) return 'expired';
  return poolOrgId === orgId ? undefined : 'transferred';
};
