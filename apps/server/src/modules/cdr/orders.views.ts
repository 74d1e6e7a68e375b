import { sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';

/** A basic order that was in use for a time. */
export interface Order {
  order_id: string;
  bundle_name: string;
  sales_order_id: string | null;
}

interface OrderColumns extends Order {
  sim_id: number;
  activated_us: number;
  /** Null while it has no end. */
  expires_us: number | null;
}

/** When a record of which SIM ended, in microseconds since 1970. */
interface Counted {
  sim_id: number;
  ended_us: number;
}

const microseconds = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`;

/** Which basic order of the organisation each of some records counted against: the one that was in use when it ended. */
export const readOrders = async (
  db: Db,
  orgId: number,
  records: readonly Counted[],
): Promise<(record: Counted) => Order | null> => {
  const { rows } = await sql<OrderColumns>`
    select o.sim_id, ${microseconds('o.activated_at')} as activated_us, ${microseconds('o.expires_at')} as expires_us,
      o.id::text as order_id, b.name as bundle_name, o.sales_order_id
    from bundle_orders o join bundles b on b.id = o.bundle_id
    where o.sim_id = any(${[...new Set(records.map(({ sim_id }) => sim_id))]}::bigint[])
      and coalesce(o.org_id, o.former_org_id) = ${orgId} and b.type <> 'prepaid supplementary'
      and o.activated_at is not null
    order by o.activated_at desc, o.id desc`.execute(db);
  const bySim = new Map<number, OrderColumns[]>();
  for (const row of rows) bySim.set(row.sim_id, [...(bySim.get(row.sim_id) ?? []), row]);
  return ({ sim_id, ended_us: at }) => {
    const found = bySim
      .get(sim_id)
      ?.find(
        ({ activated_us, expires_us }) => activated_us <= at && (expires_us === null || expires_us > at),
      );
    if (!found) return null;
    const { order_id, bundle_name, sales_order_id } = found;
    return { order_id, bundle_name, sales_order_id };
  };
};
