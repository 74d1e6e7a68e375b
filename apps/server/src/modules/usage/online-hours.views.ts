import type { Sql } from '../../platform/db/index.ts';

/**
 * How many of an organisation's SIMs the network counted usage of, by hour (UTC) from an instant on: then they were online.
 * What others had of a SIM is not counted.
 */
export const countOnlineHours = async (
  sql: Sql,
  { orgId, simIds, from, to }: { orgId: number; simIds: readonly number[]; from: Date; to: Date },
): Promise<{ at: Date; sims: number }[]> =>
  (
    await sql.query<{ at: Date; sims: number }>(
      `select hour_at as at, count(distinct sim_id)::int as sims from own_usage_hourly
       where sim_id = any($1::bigint[]) and org_id = $2 and hour_at >= $3 and hour_at < $4
       group by 1 order by 1`,
      [simIds, orgId, from, to],
    )
  ).rows;
