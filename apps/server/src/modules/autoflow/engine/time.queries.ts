import type { Sql } from '../../../platform/db/index.ts';
import type { TimeEvaluation, TimeKind } from './time.rules.ts';

/** Records a run. Of two concurrent runs, the later one is stored. */
export const recordTimeEvaluation = async (
  sql: Sql,
  { orgId, kind, judgedUntil, ranAt, runningSince }: TimeEvaluation & { orgId: number; kind: TimeKind },
): Promise<void> => {
  await sql.query(
    `insert into autoflow_judged_times as known (org_id, kind, judged_until, ran_at, running_since)
     values ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000))
     on conflict (org_id, kind) do update set judged_until = excluded.judged_until, ran_at = excluded.ran_at,
       running_since = excluded.running_since
     where known.ran_at <= excluded.ran_at`,
    [orgId, kind, judgedUntil, ranAt, runningSince],
  );
};
