import type { Sql } from '../db/index.ts';

/** Jobs of one name in the queue. */
export interface QueueStatus {
  job: string;
  /** Due now or later. */
  waiting: number;
  underWay: number;
  /** Waiting jobs that have failed at least once. */
  failed: number;
  /** The earliest due time of jobs that could already run. */
  oldestDueAt: Date | null;
}

export const readQueueStatus = async (sql: Sql): Promise<QueueStatus[]> =>
  (
    await sql.query<QueueStatus>(
      `select t.identifier as job, count(*) filter (where j.locked_at is null) as waiting,
         count(*) filter (where j.locked_at is not null) as "underWay",
         count(*) filter (where j.locked_at is null and j.attempts > 0) as failed,
         min(j.run_at) filter (where j.locked_at is null and j.run_at <= now()) as "oldestDueAt"
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       group by t.identifier order by t.identifier`,
    )
  ).rows;

/** Keys whose job is running, or is due and waits for a worker; without those whose next attempt is due later. */
export const findDueKeys = async (sql: Sql, keys: readonly string[]): Promise<Set<string>> => {
  const { rows } = await sql.query<{ key: string }>(
    `select key from graphile_worker._private_jobs
     where key = any($1::text[]) and (locked_at is not null or run_at <= now())`,
    [keys],
  );
  return new Set(rows.map(({ key }) => key));
};

/** For how many seconds the next job available to any worker has been due; 0 if there is none. */
export const readOverdueSeconds = async (sql: Sql): Promise<number> => {
  const { rows } = await sql.query<{ seconds: number }>(
    `select extract(epoch from now() - run_at)::float8 as seconds from graphile_worker._private_jobs
     where is_available and job_queue_id is null and run_at <= now() order by priority, run_at limit 1`,
  );
  return rows[0]?.seconds ?? 0;
};
