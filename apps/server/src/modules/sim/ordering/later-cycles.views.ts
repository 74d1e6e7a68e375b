import type { Sql } from '../../../platform/db/index.ts';

/** Those of the SIMs whose cycle at an instant is over, whether or not their counter has been turned since. */
export const findInLaterCycle = async (
  sql: Sql,
  { simIds, cycleAt, now }: { simIds: readonly number[]; cycleAt: Date; now: Date },
): Promise<Set<number>> => {
  const { rows } = await sql.query<{ sim_id: number }>(
    `select sim_id from sim_live where sim_id = any($1::bigint[])
       and (cycle_started_at > $2 or (cycle_ends_at > $2 and cycle_ends_at <= $3))`,
    [simIds, cycleAt, now],
  );
  return new Set(rows.map(({ sim_id }) => sim_id));
};
