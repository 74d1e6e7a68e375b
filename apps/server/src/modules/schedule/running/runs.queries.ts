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

/** Open runs in their order, at most `limit`, after the given one. */
export const listOpenRuns = async (
  from: Sql,
  { after, limit }: { after: Pick<OpenRun, 'started_at' | 'schedule_id'> | undefined; limit: number },
): Promise<OpenRun[]> =>
  (
    await from.query<OpenRun>(
      `select r.schedule_id, r.run_at, r.org_id, r.started_at, r.task, r.quantity, s.name, s.time_zone, s.group_id,
         s.only_failures
       from schedule_runs r join schedules s on s.id = r.schedule_id
       where r.state = 'started' and r.settled_at is null
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

/** Deletes runs from before an instant. */
export const deleteRuns = async (sql: Sql, before: Date): Promise<void> => {
  await sql.query('delete from schedule_runs where run_at < $1', [before]);
};
