import type { BundleType } from '@simcube/contract/bundle';
import type { SimEventReason } from '@simcube/contract/sim';
import { groupBy } from '../../../platform/collections/index.ts';
import { int8Column, type Sql, textColumn, timestampColumn } from '../../../platform/db/index.ts';
import type { EventCause } from '../../sim/index.ts';

export interface NewOrder {
  simId: number;
  bundleCode: string;
  salesOrderId?: string | undefined;
  orderedAt: Date;
}

/** Inserts orders in their order; none for an unknown SIM or bundle. */
export const insertOrders = async (
  tx: Sql,
  orders: readonly NewOrder[],
): Promise<{ orderId: number; simId: number }[]> => {
  const { rows } = await tx.query<{ orderId: number; simId: number }>(
    `insert into bundle_orders (sim_id, org_id, bundle_id, status, sales_order_id, ordered_at)
     select s.id, s.org_id, b.id, 'pending', wanted.sales_order_id, wanted.ordered_at
     from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[]) with ordinality
       as wanted (sim_id, code, sales_order_id, ordered_at, position)
     join sims s on s.id = wanted.sim_id join bundles b on b.code = wanted.code
     order by wanted.position
     returning id as "orderId", sim_id as "simId"`,
    [
      int8Column(orders, (order) => order.simId),
      textColumn(orders, (order) => order.bundleCode),
      textColumn(orders, (order) => order.salesOrderId ?? null),
      timestampColumn(orders, (order) => order.orderedAt.getTime()),
    ],
  );
  return rows;
};

/** The SIMs of orders. */
export const findSimsOfOrders = async (tx: Sql, orderIds: readonly number[]): Promise<number[]> =>
  (
    await tx.query<{ sim_id: number }>(
      'select distinct sim_id from bundle_orders where id = any($1::bigint[]) order by sim_id',
      [orderIds],
    )
  ).rows.map(({ sim_id }) => sim_id);

/** Locks SIMs in the order of their ids: every change of orders locks the SIM first. */
export const lockSims = async (tx: Sql, simIds: readonly number[]): Promise<void> => {
  await tx.query('select from sims where id = any($1::bigint[]) order by id for no key update', [simIds]);
};

/** Which of the SIMs have supplementary orders in one of the states: most have none. */
export const findSimsWithSupplementary = async (
  tx: Sql,
  simIds: readonly number[],
  statuses: readonly Order['status'][],
): Promise<number[]> =>
  (
    await tx.query<{ sim_id: number }>(
      `select distinct o.sim_id from bundle_orders o join bundles b on b.id = o.bundle_id
       where o.sim_id = any($1::bigint[]) and o.status = any($2) and b.type = 'prepaid supplementary' order by 1`,
      [simIds, statuses],
    )
  ).rows.map(({ sim_id }) => sim_id);

/** An order that is pending or in use. */
export interface Order {
  orderId: number;
  simId: number;
  orgId: number;
  iccid: string;
  status: 'pending' | 'in use';
  bundleId: number;
  bundleCode: string;
  bundleName: string;
  type: BundleType;
  quotaBytes: number | null;
  usedBytes: number;
  durationDays: number | null;
  salesOrderId: string | null;
  orderedAt: Date;
  activatedAt: Date | null;
  expiresAt: Date | null;
}

/** Pending orders and those in use, in the order in which they were placed. */
export const listOrders = async (tx: Sql, simIds: readonly number[]): Promise<Map<number, Order[]>> => {
  const { rows } = await tx.query<Order>(
    `select o.id as "orderId", s.id as "simId", s.org_id as "orgId", s.iccid, o.status, b.id as "bundleId",
       b.code as "bundleCode", b.name as "bundleName", b.type, b.quota_bytes as "quotaBytes",
       o.used_bytes as "usedBytes", b.duration_days as "durationDays", o.sales_order_id as "salesOrderId",
       o.ordered_at as "orderedAt", o.activated_at as "activatedAt", o.expires_at as "expiresAt"
     from bundle_orders o join sims s on s.id = o.sim_id join bundles b on b.id = o.bundle_id
     where o.sim_id = any($1::bigint[]) and o.status in ('pending', 'in use') order by o.sim_id, o.ordered_at, o.id`,
    [simIds],
  );
  return groupBy(rows, ({ simId }) => simId);
};

export interface StartedRow {
  order: Order;
  activatedAt: Date;
  endsAt: Date | null;
}

/** Marks orders as in use; a basic one becomes the SIM's bundle. */
export const updateStarted = async (tx: Sql, started: readonly StartedRow[]): Promise<void> => {
  await tx.query(
    `with started as (
       select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[], $6::text[])
         as t (order_id, sim_id, bundle_id, activated_at, ends_at, type)),
     own as (
       update sims s set bundle_id = started.bundle_id from started
       where s.id = started.sim_id and started.type <> 'prepaid supplementary')
     update bundle_orders o set status = 'in use', activated_at = started.activated_at, expires_at = started.ends_at
     from started where o.id = started.order_id`,
    [
      int8Column(started, ({ order }) => order.orderId),
      int8Column(started, ({ order }) => order.simId),
      int8Column(started, ({ order }) => order.bundleId),
      timestampColumn(started, ({ activatedAt }) => activatedAt.getTime()),
      timestampColumn(started, ({ endsAt }) => endsAt?.getTime() ?? null),
      textColumn(started, ({ order }) => order.type),
    ],
  );
};

export interface EndedRow {
  order: Order;
  at: Date;
  reason: SimEventReason;
}

/** Ends orders in use; a basic one takes the SIM's bundle with it. */
export const updateEnded = async (tx: Sql, ended: readonly EndedRow[]): Promise<void> => {
  await tx.query(
    `with ended as (
       select * from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::text[], $5::bigint[])
         as t (order_id, sim_id, at, type, used)),
     own as (
       update sims s set bundle_id = null from ended
       where s.id = ended.sim_id and ended.type <> 'prepaid supplementary')
     update bundle_orders o set status = 'expired', expires_at = ended.at, used_bytes = ended.used
     from ended where o.id = ended.order_id`,
    [
      int8Column(ended, ({ order }) => order.orderId),
      int8Column(ended, ({ order }) => order.simId),
      timestampColumn(ended, ({ at }) => at.getTime()),
      textColumn(ended, ({ order }) => order.type),
      int8Column(ended, ({ order }) => order.usedBytes),
    ],
  );
};

export const updateUsed = async (
  tx: Sql,
  orders: readonly { orderId: number; usedBytes: number }[],
): Promise<void> => {
  if (orders.length === 0) return;
  await tx.query(
    `update bundle_orders o set used_bytes = v.used
     from unnest($1::bigint[], $2::bigint[]) as v (order_id, used) where o.id = v.order_id`,
    [int8Column(orders, (row) => row.orderId), int8Column(orders, (row) => row.usedBytes)],
  );
};

/** Cancels pending orders that will never start. */
export const cancelOrders = async (tx: Sql, orderIds: readonly number[]): Promise<void> => {
  if (orderIds.length === 0) return;
  await tx.query(
    `update bundle_orders set status = 'cancelled' where id = any($1::bigint[]) and status = 'pending'`,
    [orderIds],
  );
};

/** Who did it and why, for the SIMs' events. */
export interface Cause extends EventCause {
  reason: SimEventReason;
}

export interface SimEnd {
  simId: number;
  orgId: number;
  lifecycle: number;
  expiresAt: Date | null;
}

export const findEnds = async (tx: Sql, simIds: readonly number[]): Promise<SimEnd[]> =>
  (
    await tx.query<SimEnd>(
      `select id as "simId", org_id as "orgId", lifecycle, expires_at as "expiresAt" from sims where id = any($1::bigint[]) order by id`,
      [simIds],
    )
  ).rows;

export const updateEnds = async (
  tx: Sql,
  ends: readonly { simId: number; expiresAt: Date | null }[],
): Promise<void> => {
  if (ends.length === 0) return;
  await tx.query(
    `update sims s set expires_at = v.expires_at from unnest($1::bigint[], $2::timestamptz[]) as v (sim_id, expires_at)
     where s.id = v.sim_id`,
    [
      int8Column(ends, ({ simId }) => simId),
      timestampColumn(ends, ({ expiresAt }) => expiresAt?.getTime() ?? null),
    ],
  );
};
