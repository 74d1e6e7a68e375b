import type { CycleCount } from '../bundle.cycles.ts';
import { computeSupplies, remainingBytes, type Supply } from '../bundle.overage.rules.ts';
import { closeOverdueCycles, type LiveBundle, type LiveState, withExtra } from './live.rules.ts';

export interface SupplyEnds {
  live: LiveState;
  bundle: LiveBundle | null;
  /** When the basic order ends; null if it has no end. */
  planEndsAt: Date | null;
  /** The supplementary orders in use. */
  supplies: readonly Supply[];
  ends: readonly { orderId: number; at: Date }[];
}

/**
 * Ends supplementary orders, each at its instant: a cycle that was over before had the whole quota, although nothing
 * was used since and it had not been closed. The rest of what they had is lost.
 * @returns the orders that ended, with the bytes that they gave, and the others, with what is final of theirs
 */
export const endSupplies = ({ live: before, bundle, planEndsAt, supplies, ends }: SupplyEnds) => {
  let live = before;
  let rest = computeSupplies(supplies, live).booked;
  const closed: CycleCount[] = [];
  const ended: { supply: Supply; at: Date }[] = [];
  for (const { orderId, at } of ends.toSorted((one, other) => one.at.getTime() - other.at.getTime())) {
    const isAfterPlan = planEndsAt && planEndsAt <= at;
    const rolledOver = closeOverdueCycles(
      live,
      bundle,
      // The cycle in which the basic order ends is closed with it.
      isAfterPlan ? new Date(planEndsAt.getTime() - 1) : at,
    );
    closed.push(...rolledOver.closed);
    live = rolledOver.live;
    const { booked, running } = computeSupplies(rest, live);
    rest = booked.filter((other) => other.orderId !== orderId);
    const supply = running.find((other) => other.orderId === orderId);
    if (!supply) continue;
    ended.push({ supply, at });
    const lostBytes = remainingBytes(supply);
    if (lostBytes > 0) live = withExtra(live, bundle, -lostBytes);
  }
  return { live, closed, ended, rest };
};
