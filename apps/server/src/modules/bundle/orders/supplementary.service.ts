import { lifecycleNumbers } from '@simcube/contract/sim';
import type { Sql } from '../../../platform/db/index.ts';
import type { CycleCount } from '../bundle.cycles.ts';
import { computeSupplies, remainingBytes, type Supply } from '../bundle.overage.rules.ts';
import { isBasic, orderEnd } from '../bundle.rules.ts';
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
import { endSupplies } from './supply-ends.rules.ts';

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
  /** The end of each order in use, null to keep it; by default all end. `planEndsAt`: the end of the basic order, if any. */
  endOf?: (order: Order, planEndsAt: Date | null) => Date | null;
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
  const booked: Supply[] = [];
  const cycles: CycleCount[] = [];
  const changed: { before: LiveState; after: LiveState }[] = [];
  for (const [simId, { bundle, ...before }] of rows) {
    const own = orders.get(simId) ?? [];
    const used = new Map(own.filter(inUse).map((order) => [order.orderId, order]));
    const plan = own.find(({ type, status }) => isBasic(type) && status === 'in use');
    const planEndsAt = plan?.expiresAt ?? null;
    const result = endSupplies({
      live: before,
      bundle,
      planEndsAt,
      supplies: [...used.values()].map(supplyOf),
      ends: [...used.values()].flatMap((order) => {
        const at = endOf(order, planEndsAt);
        return at ? [{ orderId: order.orderId, at }] : [];
      }),
    });
    for (const { supply, at } of result.ended) {
      const order = used.get(supply.orderId);
      if (order) ended.push({ order: { ...order, usedBytes: supply.usedBytes }, at, reason: cause.reason });
    }
    booked.push(...result.rest.filter((one) => one.usedBytes !== used.get(one.orderId)?.usedBytes));
    cycles.push(...result.closed);
    if (result.live !== before) changed.push({ before, after: result.live });
  }
  await updateUsed(tx, booked);
  await closeCycles(tx, cycles);
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
