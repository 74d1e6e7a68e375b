import type { Sql } from '../../../platform/db/index.ts';

/** Runs are settled within 27 hours, so a schedule has far fewer open ones. */
const maxUnsettled = 1000;

/** A run that has begun and whose outcome is not final. */
export interface OpenRun {
  schedule_id: number;
  run_at: Date;
  org_id: number;
  started_at: Date;
  task: string;
  quantity: number;
  name: string;
  time_zone: string;
  group_id: number | null;
  only_failures: boolean;
}

const openRuns = `
  select r.schedule_id, r.run_at, r.org_id, r.started_at, r.task, r.quantity, s.name, s.time_zone, s.group_id,
    s.only_failures
  from schedule_runs r join schedules s on s.id = r.schedule_id
  where r.state = 'started' and r.settled_at is null`;

/** Open runs of one schedule. */
export const listUnsettledRuns = async (from: Sql, scheduleId: number): Promise<OpenRun[]> =>
  (
    await from.query<OpenRun>(`${openRuns} and r.schedule_id = $1 order by r.started_at limit $2`, [
      scheduleId,
      maxUnsettled,
    ])
  ).rows;

/** Open runs in their order, at most `limit`, after the given one. */
export const listOpenRuns = async (
  from: Sql,
  { after, limit }: { after: Pick<OpenRun, 'started_at' | 'schedule_id'> | undefined; limit: number },
): Promise<OpenRun[]> =>
  (
    await from.query<OpenRun>(
      `${openRuns}
         and ($1::timestamptz is null or (r.started_at, r.schedule_id) > ($1, $2::bigint))
       order by r.started_at, r.schedule_id limit $3`,
      [after?.started_at ?? null, after?.schedule_id ?? 0, limit],
    )
  ).rows;

/** @returns false when another process has already done it */
export const settleRun = async (
  tx: Sql,
  { schedule_id: scheduleId, run_at: runAt }: Pick<OpenRun, 'schedule_id' | 'run_at'>,
  at: Date,
): Promise<boolean> =>
  (
    await tx.query(
      `update schedule_runs set settled_at = $3
       where schedule_id = $1 and run_at = $2 and settled_at is null returning run_at`,
      [scheduleId, runAt, at],
    )
  ).rows.length > 0;
