import type { BundleType } from '@simcube/contract/bundle';
import type { Lifecycle } from '@simcube/contract/sim';

export interface QueuedOrder {
  orderId: number;
  type: BundleType;
}

/** A SIM's basic orders: the one in use and the plans that wait behind it, in their order. */
export interface OrderQueue {
  lifecycle: Lifecycle;
  inUse: (QueuedOrder & { endsAt: Date | null }) | null;
  pending: readonly QueuedOrder[];
}

/** What an order that has ended leads to. */
export interface QueueStep {
  /** When the order in use ended; what follows happens at the same instant. */
  at: Date;
  start: QueuedOrder | null;
  /** Nothing follows: the SIM expires. */
  expires: boolean;
}

/**
 * The next step of a SIM's queue that is due: the order in use has ended, the next one starts where it did, or the SIM
 * expires. Steps are taken one after the other, each at its own instant, so that a queue worked off after a long
 * downtime ends as if each step had been taken in time.
 *
 * A pre-activated SIM's test plan ends without consequence: what waits behind it waits for the activation. On a
 * terminated SIM nothing starts.
 */
export const nextStep = ({ lifecycle, inUse, pending }: OrderQueue, now: Date): QueueStep | null => {
  if (!inUse?.endsAt || inUse.endsAt > now) return null;
  const at = inUse.endsAt;
  if (lifecycle === 'pre-activated' || lifecycle === 'terminated') return { at, start: null, expires: false };
  const [next] = pending;
  return { at, start: next ?? null, expires: !next && (lifecycle === 'active' || lifecycle === 'paused') };
};

/** The immediate effect of a new order on a SIM. */
export type Arrival = 'renew' | 'activate' | 'start' | 'start-test' | 'wait';

export interface ArrivalFacts {
  lifecycle: Lifecycle;
  /** Of the basic order in use; null without one. */
  inUse: BundleType | null;
  pendingPlan: boolean;
  pendingTest: boolean;
  /** The pre-activation period ended, or the test quota was used up, when no plan was there to follow. */
  activationDue: boolean;
}

/**
 * - an expired SIM is renewed, one that has only been waiting for a bundle is activated
 * - an active or paused SIM without a bundle gets it
 * - a test plan runs from the order on: it is for the time before the activation
 */
export const arrivalOf = (facts: ArrivalFacts): Arrival => {
  const { lifecycle, inUse, pendingPlan, pendingTest, activationDue } = facts;
  switch (lifecycle) {
    case 'expired':
      return pendingPlan ? 'renew' : 'wait';
    case 'pre-activated':
      if (pendingPlan && activationDue) return 'activate';
      return pendingTest && inUse === null ? 'start-test' : 'wait';
    case 'active':
    case 'paused':
      return pendingPlan && inUse === null ? 'start' : 'wait';
    case 'terminated':
      return 'wait';
  }
};

/** Whether a SIM in this state may get an order of the type at all. */
export const mayOrder = (lifecycle: Lifecycle, type: BundleType): boolean => {
  if (lifecycle === 'terminated') return false;
  if (type === 'test plan') return lifecycle === 'pre-activated';
  return type !== 'prepaid supplementary' || lifecycle !== 'expired';
};
