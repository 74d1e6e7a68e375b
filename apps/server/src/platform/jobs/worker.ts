import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Job,
  type JobHelpers,
  Logger,
  type ParsedCronItem,
  parseCronItems,
  type Runner,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import { isUnavailableError } from '../db/index.ts';
import type { Log } from '../log/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { SpanKind, traced } from '../tracing/index.ts';
import { watchDeadLetters } from './dead-letters.ts';
import { holdWorkerLocks, type WorkerLocks } from './dead-workers.ts';
import type { JobHandler } from './definitions.ts';
import { retryingPool, retryWhileUnavailable } from './retrying-pool.ts';

/** Updates the queue's own schema; called along with the migrations. */
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

/** Pause before the queue is processed again after its library gave up. */
const restartMs = 1_000;

/** Processes the queue until stopped; running jobs are then returned to it. */
export const startWorker = async (options: WorkerOptions): Promise<{ stop: () => Promise<void> }> => {
  const { pool, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const deadLetters = watchDeadLetters(options);
  const taskList = taskListOf(options, deadLetters);
  const startRunner = async () => {
    const locks = holdWorkerLocks({ pool, log });
    try {
      return { locks, runner: await runQueue(options, { locks, taskList, signal }) };
    } catch (error) {
      await locks.stop();
      throw error;
    }
  };
  let current = await startRunner();
  const working = (async () => {
    while (!signal.aborted) {
      await current.runner.promise.catch((error: Error) => {
        if (!signal.aborted) log.error({ err: error }, 'the job worker stopped; restarting it');
      });
      if (signal.aborted) return;
      // Releases what it had claimed for its successor.
      await current.locks.stop();
      await sleep(restartMs, undefined, { signal }).catch(() => undefined);
      current = await retryWhileUnavailable(startRunner, signal);
    }
  })().catch((error: Error) => {
    if (!signal.aborted) log.error({ err: error }, 'the job worker stopped');
  });
  return {
    stop: async () => {
      stopping.abort();
      // A runner that has ended on its own reports an error.
      await current.runner.stop().catch(() => undefined);
      await working;
      await deadLetters.stop();
      await current.locks.stop();
    },
  };
};

const runQueue = (
  { pool, handlers, concurrency, log }: WorkerOptions,
  { locks, taskList, signal }: { locks: WorkerLocks; taskList: TaskList; signal: AbortSignal },
): Promise<Runner> => {
  const events = new EventEmitter();
  events.on('pool:create', ({ workerPool }: { workerPool: { id: string } }) => {
    locks.acquire(workerPool.id).catch((error: Error) => {
      // A process that is ending closes its connections.
      if (!signal.aborted)
        log.warn({ err: error }, 'the lock of the job workers could not be acquired; trying again');
    });
  });
  return run({
    pgPool: retryingPool(pool, signal),
    events: events as unknown as WorkerEvents,
    concurrency,
    noHandleSignals: true,
    pollInterval: 1000,
    // With the library's default of -1 these statements are not awaited: if one failed, the process would end.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList,
    parsedCronItems: cronItemsOf(handlers),
    logger: new Logger(() => (level, message) => {
      if (level === 'error' || level === 'warning') log.warn({ worker: true }, message);
    }),
  });
};

const taskListOf = (
  { pool, handlers, log, metrics }: WorkerOptions,
  deadLetters: ReturnType<typeof watchDeadLetters>,
): TaskList =>
  Object.fromEntries(
    handlers.map((handler) => [
      handler.job.name,
      async (payload: unknown, { abortSignal, job: queued }: JobHelpers) => {
        const { job } = handler;
        const limit = AbortSignal.timeout(job.timeoutMs);
        const signal = abortSignal ? AbortSignal.any([limit, abortSignal]) : limit;
        const context = { signal, log: log.child({ job: job.name }), attempt: queued.attempts };
        try {
          const span = {
            name: job.name,
            kind: SpanKind.CONSUMER,
            attributes: { 'simcube.attempt': queued.attempts },
          };
          await traced(span, () => untilAborted(handler.handle(withoutCronMark(payload), context), signal));
          await deadLetters.done(handler, queued.key);
          metrics.jobs.inc({ job: job.name, outcome: 'done' });
        } catch (error) {
          metrics.jobs.inc({ job: job.name, outcome: 'failed' });
          log.warn({ err: error, job: job.name, attempt: queued.attempts }, 'a job failed');
          if (isUnavailableError(error) || abortSignal?.aborted) await spareAttempts(pool, queued);
          throw error;
        }
      },
    ]),
  );

/** The queue pauses for e to the power of the attempts, in seconds: 18 minutes. */
const longestPauseAttempts = 7;

/**
 * A cluster's node may be unavailable for longer than all attempts take while the queue's own node responds:
 * such attempts do not use up the last one, nor lengthen the pause beyond what people would wait for after the node
 * has come back. Nor do those that a stop of the process interrupts. Jobs with one attempt are scheduled again anyway.
 */
const spareAttempts = async (
  pool: pg.Pool,
  { id, attempts, max_attempts: maxAttempts }: Job,
): Promise<void> => {
  const most = Math.min(maxAttempts - 1, longestPauseAttempts);
  if (maxAttempts === 1 || attempts <= most) return;
  await pool.query('update graphile_worker._private_jobs set attempts = $2 where id = $1', [id, most]);
};

/**
 * The scheduled jobs in the worker's format.
 * @throws Error when the worker does not understand a pattern
 */
export const cronItemsOf = (handlers: readonly JobHandler[]): ParsedCronItem[] =>
  parseCronItems(
    handlers.flatMap(({ job }) =>
      job.cron
        ? [{ task: job.name, match: job.cron, options: { maxAttempts: job.maxAttempts, backfillPeriod: 0 } }]
        : [],
    ),
  );

/** Removes the `_cron` mark that scheduled jobs get in their payload, because schemas reject unknown fields. */
const withoutCronMark = (payload: unknown): unknown => {
  if (typeof payload !== 'object' || payload === null) return payload;
  const { _cron, ...payloadWithoutCron } = payload as Record<string, unknown>;
  return payloadWithoutCron;
};

/** A handler that ignores its signal must not occupy its slot forever. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      const isTimeout = (signal.reason as Error).name === 'TimeoutError';
      reject(new Error(isTimeout ? 'The job ran out of time' : 'The process was stopped'));
    };
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
