import type { Sql } from '../../platform/db/index.ts';

/** The facts that decide whether SIMs may join a pool: current membership, and orders of a bundle. */
export interface EnrolmentFacts {
  poolId: number | null;
  hasOrder: boolean;
}

export const findEnrolmentFacts =
  (bundleId: number) =>
  async (sql: Sql, simIds: readonly number[]): Promise<Map<number, EnrolmentFacts>> => {
    const { rows } = await sql.query<EnrolmentFacts & { simId: number }>(
      `select s.id as "simId", m.pool_id as "poolId", exists (
         select from bundle_orders o where o.sim_id = s.id and o.bundle_id = $2 and o.status in ('pending', 'in use')) as "hasOrder"
       from sims s left join pool_members m on m.sim_id = s.id and m.left_at is null where s.id = any($1::bigint[])`,
      [simIds, bundleId],
    );
    return new Map(rows.map(({ simId, ...facts }) => [simId, facts]));
  };
