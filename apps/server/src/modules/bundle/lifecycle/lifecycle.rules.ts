import type { BundleType } from '@simcube/contract/bundle';
import type { Lifecycle } from '@simcube/contract/sim';

interface QueuedOrder {
  orderId: number;
  orderedAt: Date;
}

/** A SIM's basic orders: the one in use and the pending plans behind it, in their order. */
export interface OrderQueue {
  lifecycle: Lifecycle;
  inUse: { endsAt: Date | null } | null;
  pending: readonly QueuedOrder[];
}

/** What follows an order that has ended. */
export interface QueueStep {
  /** When the order in use ended. */
  at: Date;
  /** The SIM expires at that instant, because the next order did not exist yet. */
  expires: boolean;
  /** The next order. It starts at the same instant; on a SIM that expires, when it was ordered, as a renewal. */
  start: { orderId: number; at: Date } | null;
}

/**
 * The next due step of a SIM's queue: the order in use has ended, and the next one starts at that instant, or
 * the SIM expires. Steps are taken one after the other, each at its own instant, so that a queue processed
 * after a long downtime ends as if each step had been taken in time: an order never starts before it was ordered.
 * A pre-activated SIM's test plan ends without consequence: the orders behind it wait for the activation. On a
 * terminated SIM nothing starts.
 */
export const nextStep = ({ lifecycle, inUse, pending }: OrderQueue, now: Date): QueueStep | null => {
  if (!inUse?.endsAt || inUse.endsAt > now) return null;
  const at = inUse.endsAt;
  if (lifecycle === 'pre-activated' || lifecycle === 'terminated') return { at, start: null, expires: false };
  const [next] = pending;
  const isInTime = next !== undefined && next.orderedAt <= at;
  return {
    at,
    expires: !isInTime && (lifecycle === 'active' || lifecycle === 'paused'),
    start: next ? { orderId: next.orderId, at: isInTime ? at : next.orderedAt } : null,
  };
};

/** The immediate effect of a new order on a SIM. */
export type OrderEffect = 'renew' | 'activate' | 'start' | 'start-test' | 'wait';

export interface OrderEffectFacts {
  lifecycle: Lifecycle;
  /** Type of the basic order in use; null without one. */
  inUse: BundleType | null;
  pendingPlan: boolean;
  pendingTest: boolean;
  /** The pre-activation period ended, or the test quota was used up, without a plan to follow. */
  activationDue: boolean;
}

/**
 * The effect of a new order:
 * - an expired SIM is renewed; one that only waited for a bundle is activated
 * - an active or paused SIM without a bundle gets it
 * - a test plan starts immediately: it is for the time before the activation
 */
export const orderEffectOf = (facts: OrderEffectFacts): OrderEffect => {
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

/** Whether a SIM in this state may get an order of this type at all. */
export const mayOrder = (lifecycle: Lifecycle, type: BundleType): boolean => {
  if (lifecycle === 'terminated') return false;
  if (type === 'test plan') return lifecycle === 'pre-activated';
  return type !== 'prepaid supplementary' || lifecycle !== 'expired';
};
