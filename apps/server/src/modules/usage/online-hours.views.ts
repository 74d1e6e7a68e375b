import type { Sql } from '../../platform/db/index.ts';
import { ownHours } from '../sim/index.ts';

const hours = ownHours(String.raw, { sims: '$1', orgId: '$2', from: '$3', until: '$4' });

/**
 * How many of an organisation's SIMs had usage, and so were online, by hour (UTC) since an instant. A SIM's usage for
 * other organisations does not count; in an hour of a transfer, it is subtracted from the whole.
 */
export const countOnlineHours = async (
  sql: Sql,
  { orgId, simIds, from, to }: { orgId: number; simIds: readonly number[]; from: Date; to: Date },
): Promise<{ at: Date; sims: number }[]> =>
  (
    await sql.query<{ at: Date; sims: number }>(
      `select hour_at as at, count(*)::int as sims
       from (
         select hour_at, sim_id from (${hours}) as u group by 1, 2 having sum(up_bytes + down_bytes) > 0) as used
       group by 1 order by 1`,
      [simIds, orgId, from, to],
    )
  ).rows;
