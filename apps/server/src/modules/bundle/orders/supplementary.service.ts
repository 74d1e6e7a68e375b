import { lifecycleNumbers } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import type { CycleCount } from '../bundle.cycles.ts';
import { computeSupplies, remainingBytes, type Supply } from '../bundle.overage.rules.ts';
import { orderEnd } from '../bundle.rules.ts';
import { closeCycles } from './cycles.queries.ts';
import { lockLive } from './live.queries.ts';
import { closeOverdueCycles, type LiveState, withExtra } from './live.rules.ts';
import {
  type Cause,
  type EndedRow,
  findEnds,
  findSimsWithSupplementary,
  listOrders,
  lockSims,
  type Order,
  type StartedRow,
  updateEnded,
  updateStarted,
  updateUsed,
} from './orders.queries.ts';
import { publishEnded, publishStarted, storeLive } from './orders.service.ts';

const isSupplementary = ({ type }: Order): boolean => type === 'prepaid supplementary';
const inUse = (order: Order): boolean => isSupplementary(order) && order.status === 'in use';
const supplyOf = ({ orderId, quotaBytes, usedBytes }: Order): Supply => ({
  orderId,
  quotaBytes: quotaBytes ?? 0,
  usedBytes,
});

export interface SupplementaryChange {
  simIds: readonly number[];
  now: Date;
  cause: Cause;
}

/**
 * Starts the pending supplementary orders of those of the SIMs that are active and have a basic bundle in use:
 * their quota is available immediately, also for usage of this cycle beyond the basic quota.
 */
export const startSupplementary = async (tx: Sql, change: SupplementaryChange): Promise<void> => {
  const { now, cause } = change;
  const simIds = await findSimsWithSupplementary(tx, change.simIds, ['pending']);
  if (simIds.length === 0) return;
  await lockSims(tx, simIds);
  const lifecycles = new Map((await findEnds(tx, simIds)).map((sim) => [sim.simId, sim.lifecycle]));
  const orders = await listOrders(tx, simIds);
  const rows = await lockLive(tx, simIds);
  const started: StartedRow[] = [];
  const cycles: CycleCount[] = [];
  const changed: { before: LiveState; after: LiveState }[] = [];
  for (const [simId, { bundle, ...before }] of rows) {
    if (lifecycles.get(simId) !== lifecycleNumbers.active || !bundle) continue;
    const pending = (orders.get(simId) ?? []).filter(
      (order) => isSupplementary(order) && order.status === 'pending',
    );
    if (pending.length === 0) continue;
    const rolledOver = closeOverdueCycles(before, bundle, now);
    cycles.push(...rolledOver.closed);
    const bytes = pending.reduce((sum, order) => sum + remainingBytes(supplyOf(order)), 0);
    changed.push({ before, after: withExtra(rolledOver.live, bundle, bytes) });
    started.push(
      ...pending.map((order) => ({ order, activatedAt: now, endsAt: orderEnd(now, order.durationDays) })),
    );
  }
  if (started.length === 0) return;
  await closeCycles(tx, cycles);
  await updateStarted(tx, started);
  await storeLive(tx, changed, cause.reason);
  await publishStarted(tx, started, cause);
};

export interface SupplementaryEnd extends SupplementaryChange {
  /** The end of each order in use, null to keep it; by default all end. */
  endOf?: (order: Order) => Date | null;
}

/**
 * Ends supplementary orders in use. What they gave in the running cycle remains given; the rest of their quota
 * is lost.
 * @returns how many ended
 */
export const endSupplementary = async (tx: Sql, change: SupplementaryEnd): Promise<number> => {
  const { now, cause, endOf = () => now } = change;
  const simIds = await findSimsWithSupplementary(tx, change.simIds, ['pending', 'in use']);
  if (simIds.length === 0) return 0;
  await lockSims(tx, simIds);
  const orders = await listOrders(tx, simIds);
  const rows = await lockLive(tx, simIds);
  const ended: EndedRow[] = [];
  const changed: { before: LiveState; after: LiveState }[] = [];
  for (const [simId, { bundle, ...before }] of rows) {
    const used = (orders.get(simId) ?? []).filter(inUse);
    const { running } = computeSupplies(used.map(supplyOf), before);
    let lostBytes = 0;
    for (const [index, order] of used.entries()) {
      const at = endOf(order);
      const supply = running[index];
      if (!at || !supply) continue;
      lostBytes += remainingBytes(supply);
      ended.push({ order: { ...order, usedBytes: supply.usedBytes }, at, reason: cause.reason });
    }
    if (lostBytes > 0) changed.push({ before, after: withExtra(before, bundle, -lostBytes) });
  }
  await bookSupplies(tx, orders, rows);
  if (ended.length > 0) {
    await updateEnded(tx, ended);
    await storeLive(tx, changed, cause.reason);
    await publishEnded(tx, ended, cause);
  }
  return ended.length;
};

/** Ends orders with nothing left, used up in this cycle or before. */
export const endUsedUp = async (tx: Sql, change: Omit<SupplementaryChange, 'cause'>): Promise<void> => {
  const simIds = await findSimsWithSupplementary(tx, change.simIds, ['pending', 'in use']);
  if (simIds.length === 0) return;
  await lockSims(tx, simIds);
  const orders = await listOrders(tx, simIds);
  const rows = await lockLive(tx, simIds);
  const empty = new Set<number>();
  for (const [simId, live] of rows) {
    const { running } = computeSupplies((orders.get(simId) ?? []).filter(inUse).map(supplyOf), live);
    for (const supply of running) if (remainingBytes(supply) === 0) empty.add(supply.orderId);
  }
  if (empty.size === 0) return;
  const { now } = change;
  const cause: Cause = { reason: 'used-up' };
  await endSupplementary(tx, {
    simIds,
    now,
    cause,
    endOf: ({ orderId }) => (empty.has(orderId) ? now : null),
  });
};

/** Records what orders in use gave in cycles that are over. */
const bookSupplies = async (
  tx: Sql,
  orders: ReadonlyMap<number, Order[]>,
  rows: ReadonlyMap<number, LiveState>,
): Promise<void> => {
  const booked: Supply[] = [];
  for (const [simId, live] of rows) {
    const before = (orders.get(simId) ?? []).filter(inUse).map(supplyOf);
    const { booked: after } = computeSupplies(before, live);
    booked.push(...after.filter((supply, index) => supply.usedBytes !== before[index]?.usedBytes));
  }
  await updateUsed(tx, booked);
};
