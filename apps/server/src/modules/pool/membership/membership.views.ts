import type { Sql } from '../../../platform/db/index.ts';

/** Those of the SIMs whose data is limited by a pool: its active members. */
export const findPooledSims = async (sql: Sql, simIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql.query<{ id: number }>(
    `select sim_id as id from pool_members
     where sim_id = any($1::bigint[]) and left_at is null and activated_at is not null`,
    [simIds],
  );
  return new Set(rows.map(({ id }) => id));
};

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
