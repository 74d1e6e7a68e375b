import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inTransaction, type Sql } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import type { JobDefinition, JobHandler } from './definitions.ts';
import { keyedFlag } from './queue.ts';
import { readOverdueSeconds } from './queue-status.ts';

/*
 * A job that has used up its attempts would stay in the queue unnoticed. It becomes a dead letter: it is
 * removed from the queue in the same transaction as the effects of its `exhausted` handler. Whether an attempt
 * was the last is read from the queue, so it does not matter whether the process lived to see it fail.
 */

const pollMs = 5000;
const maxErrorLength = 2000;
const retentionDays = 90;

export interface DeadLettersOptions {
  pool: pg.Pool;
  handlers: readonly JobHandler[];
  log: Log;
  metrics: Metrics;
}

export interface DeadLetter {
  id: number;
  name: string;
  key: string | null;
  payload: unknown;
  attempts: number;
  error: string;
  /** How often this cron job, or a job with this key, has been dead-lettered since it last succeeded. */
  times: number;
  queuedAt: Date;
  deadLetteredAt: Date;
}

interface ExhaustedJob {
  id: number;
  name: string;
  key: string | null;
  queue: string | null;
  payload: unknown;
  attempts: number;
  error: string | null;
  queuedAt: Date;
  isSuperseded: boolean;
}

const nextExhausted = `
  select j.id, t.identifier as name, j.key, q.queue_name as queue, j.payload, j.attempts, j.last_error as error,
    j.created_at as "queuedAt", j.key is null and j.flags ? '${keyedFlag}' is true as "isSuperseded"
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where not j.is_available and j.locked_at is null and t.identifier = any($1) and j.id > $2
  order by j.id limit 1 for update of j skip locked`;

/** Runs of a cron job count as the same job: the last failure replaces earlier ones. */
const deadLetterKey = ({ job }: Pick<JobHandler, 'job'>, key: string | null): string | null =>
  job.cron === undefined ? key : `cron ${job.name}`;

/**
 * Dead-letters the jobs that have used up their attempts.
 * @returns how many
 */
export const deadLetterExhausted = async (options: DeadLettersOptions): Promise<number> => {
  const { pool, log } = options;
  let count = 0;
  for (let last: number | undefined = 0; last !== undefined; ) {
    const after: number = last;
    try {
      const found = await inTransaction(pool, (tx) => deadLetterNext(tx, options, after));
      last = found?.id;
      if (found?.isDead) count += 1;
    } catch (error) {
      const { jobId } = error as { jobId?: number };
      log.error({ err: error, jobId }, 'a job that has used up its attempts could not be dead-lettered');
      // It must not block the jobs behind it; the next pass finds it again.
      last = jobId;
    }
  }
  return count;
};

const deadLetterNext = async (
  tx: pg.PoolClient,
  { handlers, log, metrics }: DeadLettersOptions,
  after: number,
): Promise<{ id: number; isDead: boolean } | undefined> => {
  const { rows } = await tx.query<ExhaustedJob>(nextExhausted, [handlers.map(({ job }) => job.name), after]);
  const [row] = rows;
  const handler = handlers.find(({ job }) => job.name === row?.name);
  if (!row || !handler) return undefined;
  const { id, name, attempts, payload } = row;
  try {
    await tx.query('select graphile_worker.complete_jobs(array[$1::bigint])', [id]);
    if (row.isSuperseded) return { id, isDead: false };
    const error = row.error?.slice(0, maxErrorLength) ?? 'The process ended while the job ran';
    await insertDeadLetter(tx, { ...row, error, key: deadLetterKey(handler, row.key), job: handler.job });
    await handler.exhausted?.(tx, payload, { error, attempts });
    metrics.jobs.inc({ job: name, outcome: 'dead-lettered' });
    log.error({ job: name, jobId: id, attempts, error }, 'a job was dead-lettered after its last attempt');
    return { id, isDead: true };
  } catch (error) {
    throw Object.assign(error as Error, { jobId: id });
  }
};

const insertDeadLetter = async (
  tx: Sql,
  { job, ...letter }: Omit<ExhaustedJob, 'error'> & { error: string; job: JobDefinition },
): Promise<void> => {
  await tx.query(
    `insert into dead_lettered_jobs as d (id, name, key, queue, payload, max_attempts, attempts, error, queued_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (key) do update set id = excluded.id, queue = excluded.queue, payload = excluded.payload,
       max_attempts = excluded.max_attempts, attempts = excluded.attempts, error = excluded.error,
       queued_at = excluded.queued_at, dead_lettered_at = excluded.dead_lettered_at, times = d.times + 1`,
    [
      letter.id,
      letter.name,
      letter.key,
      letter.queue,
      JSON.stringify(letter.payload),
      job.maxAttempts,
      letter.attempts,
      letter.error,
      letter.queuedAt,
    ],
  );
};

export interface DeadLetterWatch {
  /** A job succeeded: removes earlier dead letters of the same cron job or key. */
  done(handler: JobHandler, key: string | null): Promise<void>;
  stop(): Promise<void>;
}

/** The number of dead letters that wait for the operator. */
export const countDeadLetters = async (sql: Sql): Promise<number> =>
  (await sql.query<{ count: number }>('select count(*)::integer as count from dead_lettered_jobs')).rows[0]
    ?.count ?? 0;

/**
 * Dead-letters exhausted jobs continuously, and reports to the metrics how many dead letters wait for the
 * operator and how far the queue is behind.
 */
export const watchDeadLetters = (options: DeadLettersOptions): DeadLetterWatch => {
  const { pool, log, metrics } = options;
  const stopping = new AbortController();
  let deadLetteredJobs = new Set<string>();
  const check = async () => {
    await deadLetterExhausted(options);
    await reportStatus().catch((error: Error) => {
      // Nobody could tell the last values from present ones.
      metrics.jobsDeadLettered.reset();
      metrics.jobsWaiting.remove();
      throw error;
    });
  };
  const reportStatus = async () => {
    const { rows } = await pool.query<{ job: string; letters: number }>(
      'select name as job, count(*) as letters from dead_lettered_jobs group by name',
    );
    deadLetteredJobs = new Set(rows.map(({ job }) => job));
    metrics.jobsDeadLettered.reset();
    for (const { job, letters } of rows) metrics.jobsDeadLettered.set({ job }, letters);
    metrics.jobsWaiting.set(await readOverdueSeconds(pool));
  };
  const polling = (async () => {
    while (!stopping.signal.aborted) {
      await check().catch((error: Error) => log.warn({ err: error }, 'exhausted jobs could not be queried'));
      await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async done(handler, jobKey) {
      const key = deadLetterKey(handler, jobKey);
      if (key === null || !deadLetteredJobs.has(handler.job.name)) return;
      // The job itself is done: a superfluous dead letter is no reason to repeat it.
      await pool
        .query('delete from dead_lettered_jobs where key = $1', [key])
        .catch((error: Error) => log.warn({ err: error, key }, 'a dead letter could not be deleted'));
    },
    async stop() {
      stopping.abort();
      await polling;
    },
  };
};

const columns = `id, name, key, payload, attempts, error, times, queued_at as "queuedAt",
  dead_lettered_at as "deadLetteredAt"`;

/** Dead letters, the oldest first, optionally of one job. */
export const listDeadLetters = async (
  sql: Sql,
  { name, limit }: { name?: string | undefined; limit: number },
): Promise<DeadLetter[]> =>
  (
    await sql.query<DeadLetter>(
      `select ${columns} from dead_lettered_jobs where $1::text is null or name = $1
       order by dead_lettered_at, id limit $2`,
      [name ?? null, limit],
    )
  ).rows;

/** How many there are, and the id of the last. */
export const readDeadLetterRange = async (
  sql: Sql,
  name: string | undefined,
): Promise<{ count: number; lastId: number }> => {
  const { rows } = await sql.query<{ count: number; lastId: number }>(
    `select count(*)::integer as count, coalesce(max(id), 0) as "lastId"
     from dead_lettered_jobs where $1::text is null or name = $1`,
    [name ?? null],
  );
  return rows[0] ?? { count: 0, lastId: 0 };
};

/** Ids after one and up to another, in ascending order. */
export const listDeadLetterIds = async (
  sql: Sql,
  { name, after, until, limit }: { name?: string | undefined; after: number; until: number; limit: number },
): Promise<number[]> => {
  const { rows } = await sql.query<{ id: number }>(
    `select id from dead_lettered_jobs where ($1::text is null or name = $1) and id > $2 and id <= $3
     order by id limit $4`,
    [name ?? null, after, until, limit],
  );
  return rows.map(({ id }) => id);
};

export const findDeadLetter = async (sql: Sql, id: number): Promise<DeadLetter | undefined> =>
  (await sql.query<DeadLetter>(`select ${columns} from dead_lettered_jobs where id = $1`, [id])).rows[0];

/**
 * Locks dead letters whose work their module retries itself, least recently retried first. Concurrent processes
 * get different ones.
 */
export const takeDeadLetters = async (
  sql: Sql,
  { name, limit }: { name: string; limit: number },
): Promise<DeadLetter[]> =>
  (
    await sql.query<DeadLetter>(
      `update dead_lettered_jobs set tried_at = clock_timestamp() where id in (
         select id from dead_lettered_jobs where name = $1
         order by coalesce(tried_at, dead_lettered_at), id limit $2 for update skip locked)
       returning ${columns}`,
      [name, limit],
    )
  ).rows;

/**
 * Deletes dead letters in the caller's transaction.
 * @returns those that existed
 */
export const dropDeadLetters = async (tx: Sql, ids: readonly number[]): Promise<DeadLetter[]> =>
  (
    await tx.query<DeadLetter>(`delete from dead_lettered_jobs where id = any($1) returning ${columns}`, [
      ids,
    ])
  ).rows;

/**
 * Queues the jobs again, with all their attempts, in the caller's transaction.
 * @returns those that existed
 */
export const retryDeadLetters = async (tx: Sql, ids: readonly number[]): Promise<DeadLetter[]> =>
  (
    await tx.query<DeadLetter>(
      `with taken as (delete from dead_lettered_jobs where id = any($1) returning *),
       queued as (
         select count(graphile_worker.add_job(name, payload := payload::json, queue_name := queue,
           max_attempts := max_attempts, job_key := key,
           flags := case when key is not null then '{${keyedFlag}}'::text[] end)) from taken)
       select ${columns} from taken, queued`,
      [ids],
    )
  ).rows;

/** Deletes dead letters that have waited for the operator for a long time. */
export const trimDeadLetters = async (sql: Sql): Promise<void> => {
  await sql.query(
    'delete from dead_lettered_jobs where dead_lettered_at < now() - make_interval(days => $1)',
    [retentionDays],
  );
};
