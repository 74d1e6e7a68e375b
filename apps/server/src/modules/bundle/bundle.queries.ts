import type { BundleSpec, BundleType, ResetCycle } from '@simcube/contract';
import type { Sql } from '../../platform/db/index.ts';
import type { Cycle } from './bundle.cycles.ts';

const specColumns = [
  'code',
  'name',
  'sku',
  'type',
  'quota_bytes',
  'overage_policy',
  'out_of_coverage_policy',
  'reset_cycle',
  'slow_kbps',
  'duration_days',
] as const satisfies (keyof BundleSpec)[];

/** @returns false when there is a bundle with this code */
export const insertBundle = async (tx: Sql, spec: BundleSpec): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `insert into bundles (${specColumns.join(', ')})
     values (${specColumns.map((_, index) => `$${index + 1}`).join(', ')}) on conflict (code) do nothing`,
    specColumns.map((column) => spec[column]),
  );
  return rowCount === 1;
};

export const findBundle = async (tx: Sql, code: string): Promise<BundleSpec | undefined> =>
  (await tx.query<BundleSpec>(`select ${specColumns.join(', ')} from bundles where code = $1`, [code]))
    .rows[0];

export interface NewOrder {
  simId: number;
  bundleCode: string;
  salesOrderId?: string | undefined;
  orderedAt: Date;
}

/** Orders in their order; nothing for a SIM or bundle that there is not. */
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
      orders.map((order) => order.simId),
      orders.map((order) => order.bundleCode),
      orders.map((order) => order.salesOrderId ?? null),
      orders.map((order) => order.orderedAt),
    ],
  );
  return rows;
};

export interface OrderToStart {
  orderId: number;
  simId: number;
  orgId: number;
  iccid: string;
  bundleId: number;
  bundleCode: string;
  bundleName: string;
  type: BundleType;
  resetCycle: ResetCycle;
  quotaBytes: number | null;
  durationDays: number | null;
  salesOrderId: string | null;
  /** Durations of the SIM's other pending basic orders. */
  pendingDays: (number | null)[];
  /** Whether another basic order is in use on the SIM. */
  occupied: boolean;
}

/** Pending orders with what starting them needs; their SIMs are locked, in the order of ids. */
export const lockOrdersToStart = async (tx: Sql, orderIds: readonly number[]): Promise<OrderToStart[]> => {
  await tx.query(
    `select id from sims where id in (select sim_id from bundle_orders where id = any($1::bigint[]))
     order by id for update`,
    [orderIds],
  );
  const { rows } = await tx.query<OrderToStart>(
    `select o.id as "orderId", s.id as "simId", s.org_id as "orgId", s.iccid, b.id as "bundleId",
       b.code as "bundleCode", b.name as "bundleName", b.type, b.reset_cycle as "resetCycle",
       b.quota_bytes as "quotaBytes", b.duration_days as "durationDays", o.sales_order_id as "salesOrderId",
       coalesce(others.days, '{}') as "pendingDays", coalesce(others.occupied, false) as occupied
     from bundle_orders o join sims s on s.id = o.sim_id join bundles b on b.id = o.bundle_id
     left join lateral (
       select array_agg(ob.duration_days order by other.id) filter (where other.status = 'pending') as days,
         bool_or(other.status = 'in use') as occupied
       from bundle_orders other join bundles ob on ob.id = other.bundle_id
       where other.sim_id = s.id and other.id <> o.id and other.status in ('pending', 'in use')
         and ob.type <> 'prepaid supplementary') as others on true
     where o.id = any($1::bigint[]) and o.status = 'pending' order by s.id`,
    [orderIds],
  );
  return rows;
};

export interface StartedOrder {
  order: OrderToStart;
  activatedAt: Date;
  endsAt: Date | null;
  /** End of the SIM's last order. */
  lastEndsAt: Date | null;
  /** The cycle of now. */
  cycle: Cycle;
}

/**
 * Puts basic orders in use: the orders, the SIMs' bundle and end, and their live state, where intake reads the limit.
 * The threshold is the limit until usage has something finer to say.
 */
export const startOrders = async (tx: Sql, started: readonly StartedOrder[]): Promise<void> => {
  await tx.query(
    `with started as (
       select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::timestamptz[],
           $6::timestamptz[], $7::timestamptz[], $8::timestamptz[], $9::bigint[], $10::bigint[], $11::text[], $12::text[])
         as t (order_id, sim_id, bundle_id, activated_at, ends_at, last_ends_at, cycle_started_at, cycle_ends_at,
           quota_bytes, org_id, bundle_name, sales_order_id)),
     orders as (
       update bundle_orders o set status = 'in use', activated_at = started.activated_at, expires_at = started.ends_at
       from started where o.id = started.order_id),
     own as (
       update sims s set bundle_id = started.bundle_id, expires_at = started.last_ends_at
       from started where s.id = started.sim_id),
     live as (
       update sim_live l set limit_bytes = quota_bytes, threshold_bytes = quota_bytes, used_bytes = 0,
         over_limit = false, data_state = 0, rate_kbps = null,
         cycle_started_at = started.cycle_started_at, cycle_ends_at = started.cycle_ends_at
       from started where l.sim_id = started.sim_id)
     insert into sim_events (sim_id, at, org_id, kind, facts)
     select sim_id, activated_at, org_id, 'bundle-started',
       jsonb_build_object('bundle', bundle_name, 'order', sales_order_id) from started`,
    [
      started.map(({ order }) => order.orderId),
      started.map(({ order }) => order.simId),
      started.map(({ order }) => order.bundleId),
      started.map(({ activatedAt }) => activatedAt),
      started.map(({ endsAt }) => endsAt),
      started.map(({ lastEndsAt }) => lastEndsAt),
      started.map(({ cycle }) => cycle.startedAt),
      started.map(({ cycle }) => cycle.endsAt),
      started.map(({ order }) => order.quotaBytes),
      started.map(({ order }) => order.orgId),
      started.map(({ order }) => order.bundleName),
      started.map(({ order }) => order.salesOrderId),
    ],
  );
};

/** Ends the SIMs' basic orders in use: no bundle, no limit and no cycle from here on. */
export const endOrders = async (
  tx: Sql,
  { simIds, at }: { simIds: readonly number[]; at: Date },
): Promise<number> => {
  const { rowCount } = await tx.query(
    `with ended as (
       update bundle_orders o set status = 'expired', expires_at = coalesce(o.expires_at, $2)
       from bundles b
       where b.id = o.bundle_id and b.type <> 'prepaid supplementary' and o.status = 'in use'
         and o.sim_id = any($1::bigint[])
       returning o.sim_id),
     own as (update sims s set bundle_id = null from ended where s.id = ended.sim_id)
     update sim_live l set limit_bytes = null, threshold_bytes = null, over_limit = false,
       cycle_started_at = null, cycle_ends_at = null
     from ended where l.sim_id = ended.sim_id`,
    [simIds, at],
  );
  return rowCount ?? 0;
};
