import type { Sql } from '../../platform/db/index.ts';

export interface BundleLine {
  code: string;
  name: string;
  type: string;
  quota_bytes: number | null;
  reset_cycle: string;
  overage_policy: string;
  /** Number of orders in use. */
  in_use: number;
}

/** The catalogue by code. */
export const listBundles = async (sql: Sql, { limit }: { limit: number }): Promise<BundleLine[]> => {
  const { rows } = await sql.query<BundleLine>(
    `select code, name, type, quota_bytes, reset_cycle, overage_policy,
       (select count(*) from bundle_orders o where o.bundle_id = b.id and o.status = 'in use') as in_use
     from bundles b order by code limit $1`,
    [limit],
  );
  return rows;
};
