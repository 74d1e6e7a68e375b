import type { Sql } from '../../../platform/db/index.ts';

/** Number of hours of a SIM whose records are read: those with the most usage. */
const busiestHours = 3;

/** The speed of SIMs in their busiest hours since an instant. */
export interface UsageSpeed {
  /** Number of SIMs with records. */
  sims: number;
  /** Bits per second of the fastest record, and of the median one; null without records. */
  fastest: number | null;
  median: number | null;
}

/** Records of zero duration are skipped, because they have no speed. */
export const findSpeed = async (
  sql: Sql,
  { orgId, simIds, since }: { orgId: number; simIds: readonly number[]; since: Date },
): Promise<UsageSpeed> => {
  const { rows } = await sql.query<UsageSpeed>(
    `with hours as (
       select sim_id, hour_at from (
         select sim_id, hour_at, row_number() over (partition by sim_id order by sum(up_bytes + down_bytes) desc) as place
         from usage_hourly where sim_id = any($2::bigint[]) and hour_at >= $3 group by sim_id, hour_at) as ranked
       where place <= ${busiestHours})
     select count(distinct sim_id)::int as sims, max(bps)::float8 as fastest,
       percentile_cont(0.5) within group (order by bps)::float8 as median
     from (
       select h.sim_id, (r.up_bytes + r.down_bytes) * 8 / extract(epoch from r.ended_at - r.started_at) as bps
       from hours h join cdrs r on r.sim_id = h.sim_id and r.ended_at >= h.hour_at and r.ended_at < h.hour_at + interval '1 hour'
       where r.org_id = $1 and r.ended_at >= $3 and r.started_at < r.ended_at) as records`,
    [orgId, simIds, since],
  );
  return rows[0] ?? { sims: 0, fastest: null, median: null };
};
