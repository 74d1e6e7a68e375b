import { sql } from 'kysely';
import { type Db, int8Column } from '../../platform/db/index.ts';

/** A basic order that was in use for a time. */
export interface Order {
  order_id: string;
  bundle_name: string;
  sales_order_id: string | null;
}

/** SIM and end of a record, in microseconds since 1970. */
interface RecordEnd {
  sim_id: number;
  ended_us: number;
}

/**
 * The basic order `o` that an organisation's record `c` counted against: the one in use when it ended. If the SIM was
 * transferred, its order may have been transferred too: while the SIM belonged to this organisation, so did the
 * order.
 */
export const orderOfRecord = (orgId: number) => sql`left join lateral (
  select o.id::text as order_id, b.name as bundle_name, o.sales_order_id
  from bundle_orders o join bundles b on b.id = o.bundle_id
  where o.sim_id = c.sim_id and b.type <> 'prepaid supplementary'
    and o.activated_at <= c.ended_at and (o.expires_at is null or o.expires_at > c.ended_at)
    and (coalesce(o.org_id, o.former_org_id) = ${orgId} or exists (
      select from sim_owners w
      where w.sim_id = o.sim_id and w.org_id = ${orgId} and w.since <= c.ended_at and w.until > c.ended_at))
  order by o.activated_at desc, o.id desc limit 1) as o on true`;

/** The order of each of the given records of an organisation. */
export const readOrders = async (
  db: Db,
  orgId: number,
  records: readonly RecordEnd[],
): Promise<(record: RecordEnd) => Order | null> => {
  const { rows } = await sql<Order & { place: number }>`
    select c.place, o.* from (
      select sim_id, timestamptz '1970-01-01 00:00:00+00' + ended_us * interval '1 microsecond' as ended_at, place
      from unnest(${int8Column(records, ({ sim_id }) => sim_id)}::bigint[],
        ${int8Column(records, ({ ended_us }) => ended_us)}::bigint[]) with ordinality as v (sim_id, ended_us, place)) as c
    ${orderOfRecord(orgId)} where o.order_id is not null`.execute(db);
  const found = new Map(rows.map(({ place, ...order }) => [records[place - 1], order]));
  return (record) => found.get(record) ?? null;
};
