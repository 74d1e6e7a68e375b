import type { Service } from '@simcube/contract/bundle';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import type { List } from '../../../platform/lists/index.ts';
import { type OwnSim, whileOwned } from '../../sim/index.ts';
import { computeSupplies, type OverageColumns, overageOf } from '../bundle.overage.rules.ts';

interface ServiceColumns extends OverageColumns {
  id: number;
  iccid: string;
  device_name: string | null;
  name: string;
  code: string;
  sku: string;
  type: Service['bundle']['type'];
  status: Service['status'];
  quota_bytes: number | null;
  out_of_coverage_policy: Service['out_of_coverage_policy'];
  coverage_countries: string[];
  reset_cycle: Service['reset_cycle'];
  sales_order_id: string | null;
  ordered_at: Date;
  activated_at: Date | null;
  expires_at: Date | null;
  cycle_started_at: Date | null;
  cycle_ends_at: Date | null;
  used_bytes: number;
  limit_bytes: number | null;
}

const columns = sql`o.id, s.iccid, s.device_name, b.name, b.code, b.sku, b.type, o.status, b.quota_bytes,
  b.overage_policy, b.slow_kbps, b.threshold_bytes, b.stop_after_bytes, b.out_of_coverage_policy, b.coverage_countries,
  b.reset_cycle, o.sales_order_id, o.ordered_at, o.activated_at, o.expires_at, l.cycle_started_at, l.cycle_ends_at, l.used_bytes, l.limit_bytes`;
const tables = sql`bundle_orders o join sims s on s.id = o.sim_id join bundles b on b.id = o.bundle_id
  join sim_live l on l.sim_id = o.sim_id`;

/** An order that was over when the SIM was transferred stays with the former organisation. */
const ofSim = ({ id, orgId }: OwnSim) => sql`o.sim_id = ${id} and o.org_id = ${orgId}`;

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;

const isSupplementary = (type: string): boolean => type === 'prepaid supplementary';

/** An order as shown; the cycle is that of the basic order in use. */
const toService = (row: ServiceColumns): Service => ({
  order_id: String(row.id),
  iccid: row.iccid,
  bundle: { name: row.name, code: row.code, sku: row.sku, type: row.type },
  status: row.status,
  quota_bytes: row.quota_bytes,
  overage_policy: row.overage_policy,
  overage: overageOf(row),
  out_of_coverage_policy: row.out_of_coverage_policy,
  reset_cycle: row.reset_cycle,
  sales_order_id: row.sales_order_id,
  ordered_at: row.ordered_at.toISOString(),
  activated_at: instant(row.activated_at),
  expires_at: instant(row.expires_at),
  cycle:
    row.status === 'in use' && !isSupplementary(row.type) && row.cycle_started_at && row.cycle_ends_at
      ? {
          started_at: row.cycle_started_at.toISOString(),
          ends_at: row.cycle_ends_at.toISOString(),
          used_bytes: row.used_bytes,
          limit_bytes: row.limit_bytes,
        }
      : null,
});

/** Orders by their ids, in that order. */
export const findServices = async (
  db: Db,
  ids: readonly number[],
): Promise<(Service & { device_name: string | null })[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<ServiceColumns>`
    select ${columns} from ${tables} where o.id = any(${ids}::bigint[])`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [{ ...toService(row), device_name: row.device_name }] : [];
  });
};

/** Orders in use first, then pending ones in the order in which they will start, then past ones, the latest first. */
const rank = sql`array_position(array['in use', 'pending', 'expired', 'cancelled'], o.status)`;
const place = sql`case when o.status in ('in use', 'pending') then o.id else -o.id end`;

/** Own orders of one SIM. */
export const serviceList: List<OwnSim, object, ServiceColumns, Service> = {
  name: 'bundle.services-of-sim',
  tables: [{ name: 'orders', from: () => tables, inScope: ({ scope }) => sql`${ofSim(scope)}` }],
  key: { column: place, type: 'integer' },
  order: [{ column: rank, type: 'integer' }],
  filters: {},
  countLimit: 'all',
  select: columns,
  show: (rows) => rows.map(toService),
};

/** The orders in use on the SIM: the basic one, and supplementary ones, the oldest first. */
export const getBundle = async (
  db: Db,
  sim: OwnSim,
): Promise<{ basic: Service | null; supplementary: Service[] }> => {
  const { rows } = await sql<ServiceColumns>`
    select ${columns} from ${tables} where ${ofSim(sim)} and o.status = 'in use' order by o.ordered_at, o.id`.execute(
    db,
  );
  const basic = rows.find(({ type }) => !isSupplementary(type));
  return {
    basic: basic ? toService(basic) : null,
    supplementary: rows.filter(({ type }) => isSupplementary(type)).map(toService),
  };
};

/** Bundles of the own orders of a SIM, without duplicates. */
export const listPackages = async (
  db: Db,
  sim: OwnSim,
): Promise<{ code: string; name: string; type: Service['bundle']['type']; orders: number }[]> => {
  const { rows } = await sql<{ code: string; name: string; type: Service['bundle']['type']; orders: number }>`
    select b.code, b.name, b.type, count(*) as orders
    from bundle_orders o join bundles b on b.id = o.bundle_id where ${ofSim(sim)}
    group by b.id order by lower(b.name), b.code`.execute(db);
  return rows;
};

/** @throws Failure CB-02-0001 when the SIM has no such order of that bundle */
export const getServiceDetail = async (
  db: Db,
  { sim, orderId, bundleCode }: { sim: OwnSim; orderId: string; bundleCode: string },
) => {
  const { rows } = await sql<ServiceColumns>`
    select ${columns} from ${tables}
    where o.id = ${orderId}::bigint and ${ofSim(sim)} and b.code = ${bundleCode}`.execute(db);
  const row = rows[0] ?? fail('CB-02-0001');
  const { coverage_countries: countries, out_of_coverage_policy } = row;
  return { ...toService(row), coverage: { countries, out_of_coverage_policy } };
};

/**
 * The usage of each order. For a basic one: in the cycles that ended while it was in use, and in the running
 * one; for a supplementary one: what it gave beyond the basic quota, taken from the oldest first in the running
 * cycle.
 */
export const usageByOrder = async (
  db: Db,
  sim: OwnSim,
  services: readonly Service[],
): Promise<Map<string, number>> => {
  const ids = services.map(({ order_id }) => Number(order_id));
  const [{ rows }, suppliedBytes] = await Promise.all([
    sql<{ id: number; type: string; given: number; counted: string }>`
      select o.id, b.type, o.used_bytes as given,
        case when o.activated_at is null then 0 else coalesce((
          select sum(c.used_bytes) from usage_cycles c where c.sim_id = o.sim_id
            and ${whileOwned(sim, sql`c.cycle_ends_at`)}
            and c.cycle_ends_at > o.activated_at and c.cycle_ends_at <= o.expires_key), 0) end
        + case when o.status = 'in use' then l.used_bytes else 0 end as counted
      from bundle_orders o join bundles b on b.id = o.bundle_id join sim_live l on l.sim_id = o.sim_id
      where ${ofSim(sim)} and o.id = any(${ids}::bigint[])`.execute(db),
    readSupplies(db, sim),
  ]);
  return new Map(
    rows.map((row) => [
      String(row.id),
      isSupplementary(row.type) ? (suppliedBytes.get(row.id) ?? row.given) : Number(row.counted),
    ]),
  );
};

/** Supplementary orders in use, with what they have given so far. */
const readSupplies = async (db: Db, sim: OwnSim): Promise<Map<number, number>> => {
  const { rows } = await sql<SupplyColumns>`
    select o.id, coalesce(b.quota_bytes, 0) as quota, o.used_bytes as given,
      l.used_bytes as used, l.limit_bytes as "limit", l.extra_bytes as extra
    from bundle_orders o join bundles b on b.id = o.bundle_id join sim_live l on l.sim_id = o.sim_id
    where ${ofSim(sim)} and o.status = 'in use' and b.type = 'prepaid supplementary'
    order by o.ordered_at, o.id`.execute(db);
  const [live] = rows;
  if (!live) return new Map();
  const supplies = rows.map(({ id, quota, given }) => ({ orderId: id, quotaBytes: quota, usedBytes: given }));
  return new Map(
    computeSupplies(supplies, live).running.map(({ orderId, usedBytes }) => [orderId, usedBytes]),
  );
};

interface SupplyColumns {
  id: number;
  quota: number;
  given: number;
  used: number;
  limit: number | null;
  extra: number;
}
