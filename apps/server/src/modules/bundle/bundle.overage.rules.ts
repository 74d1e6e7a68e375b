import type { BundleSpec, Overage as ShownOverage } from '@simcube/contract/bundle';
import { type DataStateNumber, dataState } from '../sim/index.ts';

export type OveragePolicy = BundleSpec['overage_policy'];

/** Speed under "billing and slow down" if the bundle defines none (specification, section 9: 128 or 256 kbps). */
const defaultSlowKbps = 128;

export interface UsageState {
  overLimit: boolean;
  dataState: DataStateNumber;
  rateKbps: number | null;
  /** The next usage at which anything changes; null if nothing more does in this cycle. */
  threshold: number | null;
}

/** A bundle's rules for usage over its quota. */
export interface Overage {
  policy: OveragePolicy | null;
  slowKbps: number | null;
  /** "Billing then stop after": the amount over the limit. */
  stopAfterBytes: number | null;
  /** A shared pool's limit applies instead of the SIM's own (`usesPoolLimit`). */
  usesPoolLimit: boolean;
}

/** What a bundle defines about usage over its quota, as stored. */
export interface OverageColumns {
  overage_policy: OveragePolicy;
  slow_kbps: number | null;
  threshold_bytes: number | null;
  stop_after_bytes: number | null;
}

/** The overage policy as shown. A definition may contain amounts that its policy does not use. */
export const overageOf = (bundle: OverageColumns): ShownOverage => {
  const policy = bundle.overage_policy;
  return {
    policy,
    slow_kbps: policy === 'billing and slow down' ? (bundle.slow_kbps ?? defaultSlowKbps) : null,
    threshold_bytes: policy === 'billing and threshold' ? bundle.threshold_bytes : null,
    stop_after_bytes: policy === 'billing then stop after' ? bundle.stop_after_bytes : null,
  };
};

/**
 * The effect of a SIM's usage under its bundle's overage policy. Under "billing", data continues; also under
 * "billing and threshold", which only prices in blocks. Under "billing then stop after" it continues up to a
 * set amount over the limit. A member of a shared pool is not over its own contribution: what is beyond is the pool's.
 */
export const evaluateUsage = (usage: Overage & { used: number; limit: number | null }): UsageState => {
  const { used, policy, slowKbps, stopAfterBytes } = usage;
  const limit = usage.usesPoolLimit ? null : usage.limit;
  if (limit === null || used < limit) {
    return { overLimit: false, dataState: dataState.open, rateKbps: null, threshold: limit };
  }
  // A quota of zero, where all usage is paid, is not exceeded by a SIM without usage.
  if (used === 0 && policy !== 'stop')
    return { ...evaluateUsage({ ...usage, used: 1 }), overLimit: false, threshold: 1 };
  const after = { overLimit: true, rateKbps: null, threshold: null };
  if (policy === 'stop') return { ...after, dataState: dataState.stopped };
  if (policy === 'billing and slow down') {
    return { ...after, dataState: dataState.slowed, rateKbps: slowKbps ?? defaultSlowKbps };
  }
  if (policy === 'billing then stop after' && stopAfterBytes !== null) {
    const end = limit + stopAfterBytes;
    return used < end
      ? { ...after, dataState: dataState.open, threshold: end }
      : { ...after, dataState: dataState.stopped };
  }
  return { ...after, dataState: dataState.open };
};

/** A SIM's limit, and the part of it that comes from supplementary orders. */
export interface Allowance {
  limit: number | null;
  extra: number;
}

/** The used part of what supplementary orders give: none before the basic quota is used up. */
export const extraUsed = ({ limit, extra, used }: Allowance & { used: number }): number =>
  limit === null ? 0 : Math.min(Math.max(used - (limit - extra), 0), extra);

/** The allowance of the cycle after one with this usage: what was used of supplementary orders is subtracted. */
export const allowanceAfter = (cycle: Allowance & { used: number }): Allowance => {
  const consumed = extraUsed(cycle);
  return { limit: cycle.limit === null ? null : cycle.limit - consumed, extra: cycle.extra - consumed };
};

/** What is left of a supplementary order. */
export interface Supply {
  orderId: number;
  quotaBytes: number;
  usedBytes: number;
}

export const remainingBytes = ({ quotaBytes, usedBytes }: Pick<Supply, 'quotaBytes' | 'usedBytes'>): number =>
  Math.max(quotaBytes - usedBytes, 0);

/**
 * Takes the bytes from the orders, the first ones first. Bytes beyond all of them are ignored.
 * @returns the orders with the bytes used of each
 */
export const consumeFrom = <S extends Supply>(supplies: readonly S[], bytes: number): S[] => {
  let remaining = Math.max(bytes, 0);
  return supplies.map((supply) => {
    const consumed = Math.min(remainingBytes(supply), remaining);
    remaining -= consumed;
    return { ...supply, usedBytes: supply.usedBytes + consumed };
  });
};

/**
 * What supplementary orders have given so far: `booked` is final, from cycles that are over; `running` is what
 * the running cycle would take of them if it ended now. Both start with the oldest order.
 * When usage ends a cycle, only the limit is reduced at first. So the orders may have more than the limit
 * includes (still to be booked), or the limit more than they have: what orders that ended in this cycle gave in
 * it.
 */
export const computeSupplies = (
  supplies: readonly Supply[],
  live: Allowance & { used: number },
): { booked: Supply[]; running: Supply[] } => {
  const left = supplies.reduce((sum, supply) => sum + remainingBytes(supply), 0);
  const booked = consumeFrom(supplies, left - live.extra);
  const endedOrdersBytes = Math.max(live.extra - left, 0);
  return { booked, running: consumeFrom(booked, extraUsed(live) - endedOrdersBytes) };
};
