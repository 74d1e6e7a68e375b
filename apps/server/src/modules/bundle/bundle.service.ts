import { isDeepStrictEqual } from 'node:util';
import type { BundleSpec } from '@simcube/contract';
import type { Sql } from '../../platform/db/index.ts';
import { emitMany } from '../../platform/outbox/index.ts';
import { cycleAt } from './bundle.cycles.ts';
import { bundleOrderStarted } from './bundle.events.ts';
import {
  findBundle,
  insertBundle,
  insertOrders,
  lockOrdersToStart,
  type NewOrder,
  type StartedOrder,
  startOrders,
} from './bundle.queries.ts';
import { isBasic, lastEnd, orderEnd } from './bundle.rules.ts';

/** A bundle can't be made as wanted; the message says why. */
export class BundleRefused extends Error {}

/**
 * Makes a bundle of the catalogue.
 * @returns false when it is there already, just so
 * @throws BundleRefused when there is another one with its code: SIMs may be using it
 */
export const createBundle = async (tx: Sql, spec: BundleSpec): Promise<boolean> => {
  if (await insertBundle(tx, spec)) return true;
  if (isDeepStrictEqual({ ...(await findBundle(tx, spec.code)) }, { ...spec })) return false;
  throw new BundleRefused(`There is another bundle ${spec.code}, and SIMs may be using it: take a new code`);
};

/**
 * Puts orders on SIMs, pending.
 * @throws BundleRefused when a SIM or bundle does not exist
 */
export const placeOrders = async (
  tx: Sql,
  orders: readonly NewOrder[],
): Promise<{ orderId: number; simId: number }[]> => {
  const placed = await insertOrders(tx, orders);
  if (placed.length < orders.length) throw new BundleRefused('A SIM or bundle of the orders does not exist');
  return placed;
};

export interface OrderStart {
  orderId: number;
  activatedAt: Date;
}

/**
 * Starts pending basic orders: from here on the SIM has the bundle, its limit and its cycle.
 * @returns the orders that started; left as they are: those not pending any more, supplementary ones, and those of
 *   SIMs where another basic order is in use
 */
export const startBasicOrders = async (
  tx: Sql,
  { starts, now }: { starts: readonly OrderStart[]; now: Date },
): Promise<StartedOrder[]> => {
  const activations = new Map(starts.map(({ orderId, activatedAt }) => [orderId, activatedAt]));
  const taken = new Set<number>();
  const started: StartedOrder[] = [];
  for (const order of await lockOrdersToStart(tx, [...activations.keys()])) {
    const activatedAt = activations.get(order.orderId);
    if (!activatedAt || !isBasic(order.type) || order.occupied || taken.has(order.simId)) continue;
    taken.add(order.simId);
    const endsAt = orderEnd(activatedAt, order.durationDays);
    started.push({
      order,
      activatedAt,
      endsAt,
      lastEndsAt: lastEnd(endsAt, order.pendingDays),
      cycle: cycleAt({ resetCycle: order.resetCycle, activatedAt, at: now }),
    });
  }
  if (started.length === 0) return started;
  await startOrders(tx, started);
  await emitMany(
    tx,
    bundleOrderStarted,
    started.map(({ order, activatedAt }) => ({
      orgId: order.orgId,
      payload: {
        simId: order.simId,
        iccid: order.iccid,
        orderId: order.orderId,
        bundleCode: order.bundleCode,
        at: activatedAt.toISOString(),
      },
    })),
  );
  return started;
};
