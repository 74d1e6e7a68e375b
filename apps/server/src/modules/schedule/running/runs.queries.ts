import type { ErrorCode } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { type LockedSchedule, lockedColumns } from '../saving/schedules.queries.ts';

/** Schedules with a due run, the longest due first. */
export const listDue = async (from: Sql, { now, limit }: { now: Date; limit: number }): Promise<number[]> =>
  (
    await from.query<{ id: number }>(
      'select id from schedules where next_run_at <= $1 order by next_run_at, id limit $2',
      [now, limit],
    )
  ).rows.map(({ id }) => id);

/** @returns undefined when it is no longer due, or another process is working on it */
export const lockDue = async (
  tx: Sql,
  { id, now }: { id: number; now: Date },
): Promise<(LockedSchedule & { next_run_at: Date }) | undefined> =>
  (
    await tx.query<LockedSchedule & { next_run_at: Date }>(
      `select ${lockedColumns} from schedules where id = $1 and next_run_at <= $2 for update skip locked`,
      [id, now],
    )
  ).rows[0];

export interface NewRun {
  scheduleId: number;
  orgId: number;
  runAt: Date;
  quantity: number;
}

/** Records times that did not run. Already recorded times are left unchanged. */
export const insertSkippedRuns = async (
  tx: Sql,
  {
    scheduleId,
    orgId,
    quantity,
    ...run
  }: Omit<NewRun, 'runAt'> & {
    runsAt: readonly Date[];
    state: 'missed' | 'refused';
    code: ErrorCode;
  },
): Promise<number> => {
  const { rowCount } = await tx.query(
    `insert into schedule_runs (schedule_id, run_at, org_id, state, code, quantity)
     select $1, run_at, $2, $3, $4, $5 from unnest($6::timestamptz[]) as v (run_at)
     on conflict (schedule_id, run_at) do nothing`,
    [scheduleId, orgId, run.state, run.code, quantity, run.runsAt],
  );
  return rowCount ?? 0;
};

export const hasRun = async (tx: Sql, { scheduleId, runAt }: Pick<NewRun, 'scheduleId' | 'runAt'>) =>
  (await tx.query('select from schedule_runs where schedule_id = $1 and run_at = $2', [scheduleId, runAt]))
    .rows.length > 0;

/** A second run for the same time aborts the transaction that would begin it. */
export const insertRun = async (
  tx: Sql,
  { scheduleId, orgId, runAt, quantity, startedAt, task }: NewRun & { startedAt: Date; task: string },
): Promise<void> => {
  await tx.query(
    `insert into schedule_runs (schedule_id, run_at, org_id, state, started_at, task, quantity)
     values ($1, $2, $3, 'started', $4, $5, $6)`,
    [scheduleId, runAt, orgId, startedAt, task, quantity],
  );
};

export const planNextRun = async (
  tx: Sql,
  { id, nextRunAt }: { id: number; nextRunAt: Date | null },
): Promise<void> => {
  await tx.query('update schedules set next_run_at = $2 where id = $1', [id, nextRunAt]);
};

/** Deletes runs from before an instant. */
export const deleteRuns = async (sql: Sql, before: Date): Promise<void> => {
  await sql.query('delete from schedule_runs where run_at < $1', [before]);
};
