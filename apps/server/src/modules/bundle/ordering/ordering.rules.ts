import { endpoints } from '@simcube/contract';
import type { BundleChangeTime, BundleType, OrderLine } from '@simcube/contract/bundle';
import type { SimRefusal } from '@simcube/contract/sim';
import { type OperationRule, refuseEnded, type SimFacts } from '../../sim/index.ts';

export interface CatalogueBundle {
  code: string;
  name: string;
}

/** What this module knows about a SIM for which a bundle is to be ordered. */
export interface OrderingFacts {
  /** The plan in use; for an expired SIM, the last one. */
  current: (CatalogueBundle & { type: BundleType; quotaBytes: number | null; endsAt: Date | null }) | null;
  /** First instant of the current plan's running cycle. */
  cycleStartedAt: Date | null;
  /** Whether a plan is pending behind the current one. */
  hasPendingPlan: boolean;
  /**
   * The current plan is over and none follows: the SIM is about to expire, and a supplementary order would end
   * immediately.
   */
  isOver: boolean;
  /** For a top-up: whether its data is limited by a shared pool, and not by its own quota. */
  usesPoolLimit?: boolean;
  /** The bundle to order; null if the catalogue does not offer it. */
  bundleToOrder: CatalogueBundle | null;
}

export interface ChangeParameters {
  bundle_code: string;
  when: BundleChangeTime;
}

/** A SIM with its plan and the bundle to order. */
export type CompleteOrderingFacts = OrderingFacts & {
  current: NonNullable<OrderingFacts['current']>;
  cycleStartedAt: Date;
  bundleToOrder: CatalogueBundle;
};

/** Whether everything that an order needs is known. */
export const isOrder = (facts: OrderingFacts | undefined): facts is CompleteOrderingFacts =>
  facts !== undefined &&
  facts.current !== null &&
  facts.cycleStartedAt !== null &&
  facts.bundleToOrder !== null;

/** At most one plan may be pending behind the current one: an accidental second order would be paid twice. */
const refuseQueueing = ({ current, hasPendingPlan }: OrderingFacts): SimRefusal | undefined => {
  if (hasPendingPlan) return 'CB-02-0004';
  return current?.endsAt === null ? 'CB-02-0005' : undefined;
};

/**
 * "Expired SIMs can be renewed. Terminated SIMs cannot be renewed" (specification, section 4): expired SIMs
 * whatever they had, others if their bundle is prepaid.
 */
export const renewRule: OperationRule<unknown, OrderingFacts> = {
  type: 'sim-renew',
  access: endpoints.bundle.renew.access,
  refuse: ({ lifecycle }, { extraFacts: facts }) => {
    if (lifecycle === 'terminated') return 'CB-01-0009';
    if (!facts?.current) return 'CB-02-0003';
    const isExpired = lifecycle === 'expired';
    if (!isExpired && facts.current.type !== 'prepaid basic') return 'CB-02-0006';
    if (!facts.bundleToOrder) return 'CB-02-0002';
    return isExpired ? undefined : refuseQueueing(facts);
  },
};

export const topUpRule: OperationRule<{ bundle_code: string }, OrderingFacts> = {
  type: 'sim-top-up',
  access: endpoints.bundle.topUp.access,
  refuse: (sim, { extraFacts: facts }) => {
    const ended = refuseEnded(sim);
    if (ended) return ended;
    if (!facts?.bundleToOrder) return 'CB-02-0002';
    if (!facts.current) return 'CB-02-0003';
    if (facts.isOver) return 'CB-01-0009';
    if (facts.usesPoolLimit) return 'CB-03-0008';
    return facts.current.quotaBytes === null ? 'CB-02-0008' : undefined;
  },
};

export const changeRule: OperationRule<ChangeParameters, OrderingFacts> = {
  type: 'sim-change-bundle',
  access: endpoints.bundle.change.access,
  refuse: (sim, { parameters, extraFacts: facts }) => {
    const ended = refuseEnded(sim);
    if (ended) return ended;
    if (!facts?.bundleToOrder) return 'CB-02-0002';
    if (!facts.current) return 'CB-02-0003';
    if (facts.current.code === facts.bundleToOrder.code) return 'CB-02-0007';
    if (parameters.when === 'at-end') return refuseQueueing(facts);
    return facts.hasPendingPlan ? 'CB-02-0004' : undefined;
  },
};

/** What would be ordered, counted by bundle, the SIMs' current bundle and price; the most frequent first. */
export const orderLines = (
  allowed: readonly { sim: SimFacts; extraFacts: OrderingFacts | undefined }[],
  {
    startsImmediately,
    priceOf,
  }: {
    startsImmediately: (lifecycle: SimFacts['lifecycle']) => boolean;
    priceOf: (facts: CompleteOrderingFacts) => OrderLine['price'];
  },
): OrderLine[] => {
  const lines = new Map<string, OrderLine>();
  for (const { sim, extraFacts } of allowed) {
    if (!isOrder(extraFacts)) continue;
    const { bundleToOrder, current } = extraFacts;
    const price = priceOf(extraFacts);
    const key = JSON.stringify([bundleToOrder.code, current.code, price]);
    const line = lines.get(key) ?? {
      bundle: { code: bundleToOrder.code, name: bundleToOrder.name },
      current: { code: current.code, name: current.name },
      orders: 0,
      at_once: 0,
      current_ends_first: null,
      current_ends_last: null,
      price,
    };
    const end = current.endsAt?.toISOString() ?? null;
    lines.set(key, {
      ...line,
      orders: line.orders + 1,
      at_once: line.at_once + (startsImmediately(sim.lifecycle) ? 1 : 0),
      current_ends_first: earlier(line.current_ends_first, end),
      current_ends_last: later(line.current_ends_last, end),
    });
  }
  return [...lines.values()].toSorted((a, b) => b.orders - a.orders);
};

/** Instants as text, which sorts in the same order. */
const earlier = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? (a ?? b) : a < b ? a : b;
const later = (a: string | null, b: string | null): string | null =>
  a === null || b === null ? (a ?? b) : a > b ? a : b;
