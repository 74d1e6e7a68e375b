import type { Sql } from '../../../platform/db/index.ts';
import { listProcessing } from '../../task/index.ts';

/** Those of the schedules, by id, with a run in progress: its task has not ended. */
export const listInProgress = async (from: Sql, scheduleIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await from.query<{ schedule_id: number; task: string }>(
    `select schedule_id, task from schedule_runs
     where schedule_id = any($1::bigint[]) and state = 'started' and settled_at is null`,
    [scheduleIds],
  );
  const processing = await listProcessing(
    from,
    rows.map(({ task }) => task),
  );
  return new Set(rows.filter(({ task }) => processing.has(task)).map(({ schedule_id: id }) => id));
};

/** How many SIMs a schedule has. */
export const countSims = async (from: Sql, scheduleId: number): Promise<number> =>
  (
    await from.query<{ count: number }>(
      'select count(*)::int as count from schedule_sims where schedule_id = $1',
      [scheduleId],
    )
  ).rows[0]?.count ?? 0;
