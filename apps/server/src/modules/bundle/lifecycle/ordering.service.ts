import type { BundleType } from '@simcube/contract/bundle';
import type { Actor } from '../../../platform/access/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { lifecycleOf, reportSimEvents } from '../../sim/index.ts';
import { BundleRefused } from '../bundle.rules.ts';
import { type Cause, listOrders, lockSims, type NewOrder, type Order } from '../orders/orders.queries.ts';
import { placeOrders, recordOrderEvents } from '../orders/orders.service.ts';
import { countOrdered, findBundleType, findSims } from './lifecycle.queries.ts';
import { mayOrder } from './lifecycle.rules.ts';
import { applyNewOrders } from './lifecycle.service.ts';

export interface BundleOrder {
  iccids: readonly string[];
  bundleCode: string;
  /** Orders for each SIM, which queue. Existing ones under the same sales order count. */
  count: number;
  salesOrderId?: string | undefined;
  now: Date;
  by?: Omit<Cause, 'reason'>;
  /** Who orders, for the organisations' audit trails. */
  actor?: Actor;
}

export interface OrderingReport {
  placed: number;
  refused: { iccid: string; reason: string }[];
}

/**
 * Orders a bundle for SIMs, with all immediate effects: an expired SIM is renewed, one without a bundle gets
 * it, a top-up takes effect. All in the caller's transaction.
 * @throws BundleRefused when the bundle does not exist
 */
export const orderBundle = async (tx: Sql, request: BundleOrder): Promise<OrderingReport> => {
  const { bundleCode, count, salesOrderId, now, by = {} } = request;
  const type = await findBundleType(tx, bundleCode);
  if (!type) throw new BundleRefused(`There is no bundle ${bundleCode}`);
  const iccids = [...new Set(request.iccids)];
  const known = await findSims(tx, iccids);
  await lockSims(
    tx,
    known.map(({ simId }) => simId),
  );
  // Read again: they are locked from here on.
  const sims = await findSims(tx, iccids);
  const orderable = sims.filter(({ lifecycle }) => mayOrder(lifecycleOf(lifecycle), type));
  const simIds = orderable.map(({ simId }) => simId);
  const existing = salesOrderId ? await countOrdered(tx, { simIds, bundleCode, salesOrderId }) : new Map();
  const orders = simIds.flatMap((simId) =>
    Array.from({ length: Math.max(count - (existing.get(simId) ?? 0), 0) }, () => ({
      simId,
      bundleCode,
      salesOrderId,
      orderedAt: now,
    })),
  );
  const ordered = await placeAndApply(tx, { simIds, orders, now, by });
  await recordOrders(tx, ordered, request);
  return { placed: ordered.length, refused: refusalsOf(iccids, sims, type) };
};

/**
 * Places orders on locked SIMs, with all immediate effects.
 * @returns the orders as placed
 */
export const placeAndApply = async (
  tx: Sql,
  request: { simIds: readonly number[]; orders: readonly NewOrder[]; now: Date; by: Omit<Cause, 'reason'> },
): Promise<Order[]> => {
  const { simIds, orders, now, by } = request;
  const placed = new Set((await placeOrders(tx, orders)).map(({ orderId }) => orderId));
  const stored = [...(await listOrders(tx, simIds)).values()].flat();
  const ordered = stored.filter(({ orderId }) => placed.has(orderId));
  await recordOrderEvents(
    tx,
    'bundle-ordered',
    ordered.map((order) => ({ order, at: now })),
    by,
  );
  await reportSimEvents(
    tx,
    ordered.map(({ orgId, iccid }) => ({ orgId, iccid, kind: 'bundle-ordered' })),
    now,
  );
  await applyNewOrders(tx, { simIds, now, by });
  return ordered;
};

/** One audit entry per organisation, in the order of their ids. */
const recordOrders = async (tx: Sql, ordered: readonly Order[], request: BundleOrder): Promise<void> => {
  const { bundleCode, salesOrderId = null, now, actor } = request;
  if (!actor) return;
  const orgIds = [...new Set(ordered.map(({ orgId }) => orgId))].sort((a, b) => a - b);
  for (const orgId of orgIds) {
    const own = ordered.filter((order) => order.orgId === orgId);
    const [{ bundleName = bundleCode } = {}] = own;
    await recordAudit(tx, {
      orgId,
      actor,
      at: now,
      action: 'bundle.ordered',
      subject: { kind: 'bundle', id: bundleCode, name: bundleName },
      after: {
        sims: new Set(own.map(({ simId }) => simId)).size,
        orders: own.length,
        sales_order: salesOrderId,
      },
    });
  }
};

const refusalsOf = (
  iccids: readonly string[],
  sims: readonly { iccid: string; lifecycle: number }[],
  type: BundleType,
): OrderingReport['refused'] => {
  const lifecycles = new Map(sims.map(({ iccid, lifecycle }) => [iccid, lifecycleOf(lifecycle)]));
  return iccids.flatMap((iccid) => {
    const lifecycle = lifecycles.get(iccid);
    if (!lifecycle) return [{ iccid, reason: 'there is no such SIM' }];
    return mayOrder(lifecycle, type)
      ? []
      : [{ iccid, reason: `a ${type} cannot be ordered for a SIM that is ${lifecycle}` }];
  });
};
