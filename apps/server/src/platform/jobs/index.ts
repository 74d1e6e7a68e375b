import { EventEmitter } from 'node:events';
import {
  Logger,
  type ParsedCronItem,
  parseCronItems,
  run,
  runMigrations,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { z } from 'zod';
import type { Sql } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { markWorkers } from './dead-workers.ts';

/** A kind of background work. New payload fields must be optional: jobs of the last version may still be queued. */
export interface JobDefinition<S extends z.ZodType = z.ZodType> {
  /** `<domain>.<verb-object>`, in the imperative. */
  name: string;
  payload: S;
  maxAttempts: number;
  timeoutMs: number;
  /** Five-field cron pattern (UTC) for jobs of the clock; such a job's payload must accept `{}`. */
  cron?: string;
}

export interface JobHandler {
  job: JobDefinition;
  handle: (payload: unknown, context: JobContext) => Promise<void>;
}

export interface JobContext {
  /** Aborted at the timeout and when the process stops. */
  signal: AbortSignal;
  log: Log;
}

export const defineJob = <S extends z.ZodType>(definition: JobDefinition<S>): JobDefinition<S> => definition;

export const handlerOf = <S extends z.ZodType>(
  job: JobDefinition<S>,
  handle: (payload: z.output<S>, context: JobContext) => Promise<void>,
): JobHandler => ({
  job: job as unknown as JobDefinition,
  handle: (payload, context) => handle(job.payload.parse(payload), context),
});

export interface EnqueueOptions {
  runAt?: Date;
  /** A job with the same key that has not started is replaced instead of queued twice. */
  key?: string;
  /** Jobs of one queue run one after the other. */
  queue?: string | undefined;
}

/** Queues a job in the caller's transaction: it runs at least once after the commit, and never without it. */
export const enqueue = async <S extends z.ZodType>(
  sql: Sql,
  job: JobDefinition<S>,
  payload: z.input<S>,
  { runAt, key, queue }: EnqueueOptions = {},
): Promise<void> => {
  await sql.query(
    `select graphile_worker.add_job($1, payload := $2::json, run_at := $3, max_attempts := $4, job_key := $5,
       queue_name := $6)`,
    [
      job.name,
      JSON.stringify(job.payload.parse(payload)),
      runAt ?? null,
      job.maxAttempts,
      key ?? null,
      queue ?? null,
    ],
  );
};

/** The same for many jobs of one kind, by one statement. */
export const enqueueMany = async <S extends z.ZodType>(
  sql: Sql,
  job: JobDefinition<S>,
  payloads: readonly z.input<S>[],
): Promise<void> => {
  if (payloads.length === 0) return;
  await sql.query(
    `select count(graphile_worker.add_job($1, payload := payload::json, max_attempts := $3))
     from unnest($2::text[]) as payload`,
    [job.name, payloads.map((payload) => JSON.stringify(job.payload.parse(payload))), job.maxAttempts],
  );
};

/** Brings the queue's own schema up to date; called beside the migrations. */
export const prepareJobs = async (pool: pg.Pool): Promise<void> => {
  await runMigrations({ pgPool: pool });
};

export interface WorkerOptions {
  pool: pg.Pool;
  handlers: readonly JobHandler[];
  concurrency: number;
  log: Log;
  metrics: Metrics;
}

/** Works the queue until stopped; jobs that are running then are given back to it. */
export const startWorker = async ({ pool, handlers, concurrency, log, metrics }: WorkerOptions) => {
  const taskList = Object.fromEntries(
    handlers.map(({ job, handle }) => [
      job.name,
      async (payload: unknown, helpers: { abortSignal?: AbortSignal }) => {
        const limit = AbortSignal.timeout(job.timeoutMs);
        const signal = helpers.abortSignal ? AbortSignal.any([limit, helpers.abortSignal]) : limit;
        try {
          await untilAborted(
            handle(withoutCronMark(payload), { signal, log: log.child({ job: job.name }) }),
            signal,
          );
          metrics.jobs.inc({ job: job.name, outcome: 'done' });
        } catch (error) {
          metrics.jobs.inc({ job: job.name, outcome: 'failed' });
          log.warn({ err: error, job: job.name }, 'a job failed');
          throw error;
        }
      },
    ]),
  );
  const marks = markWorkers(pool, log);
  const events = new EventEmitter();
  events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
    marks
      .mark(workerPool.id)
      .catch((error: Error) => log.warn({ err: error }, 'the workers could not be marked'));
  });
  const runner = await run({
    pgPool: pool,
    events: events as unknown as WorkerEvents,
    concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    taskList,
    parsedCronItems: cronItemsOf(handlers),
    logger: new Logger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ worker: true }, message);
    }),
  });
  runner.promise.catch((error: Error) => log.error({ err: error }, 'the job worker ended'));
  return {
    stop: async () => {
      await runner.stop();
      await marks.stop();
    },
  };
};

/**
 * The jobs of the clock, as the worker takes them.
 * @throws Error when a pattern is not one that it understands
 */
export const cronItemsOf = (handlers: readonly JobHandler[]): ParsedCronItem[] =>
  parseCronItems(
    handlers.flatMap(({ job }) =>
      job.cron
        ? [{ task: job.name, match: job.cron, options: { maxAttempts: job.maxAttempts, backfillPeriod: 0 } }]
        : [],
    ),
  );

/** Cron jobs get a `_cron` mark in their payload; schemas are strict about what they know. */
const withoutCronMark = (payload: unknown): unknown => {
  if (typeof payload !== 'object' || payload === null) return payload;
  const { _cron, ...own } = payload as Record<string, unknown>;
  return own;
};

/** A handler that ignores its signal must not hold its place for ever. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(new Error('The job ran out of time'));
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
