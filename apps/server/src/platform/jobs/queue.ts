import type { z } from 'zod';
import type { Sql } from '../db/index.ts';
import type { JobDefinition } from './definitions.ts';

export interface EnqueueOptions {
  runAt?: Date;
  /** Replaces a job with the same key that has not started, instead of queueing a second one. */
  key?: string;
  /** Jobs of one queue run sequentially. */
  queue?: string | undefined;
}

/**
 * Marks jobs that were queued with a key: the queue removes the key of a running job when another with the same
 * key is added, and such a job must not be mistaken for one that has failed.
 */
export const keyedFlag = 'keyed';

/** Queues a job in the caller's transaction: it runs at least once after the commit, and never without it. */
export const enqueue = async <S extends z.ZodType>(
  sql: Sql,
  job: JobDefinition<S>,
  payload: z.input<S>,
  { runAt, key, queue }: EnqueueOptions = {},
): Promise<void> => {
  await sql.query(
    `select graphile_worker.add_job($1, payload := $2::json, run_at := $3, max_attempts := $4, job_key := $5,
       queue_name := $6, flags := case when $5::text is not null then '{${keyedFlag}}'::text[] end)`,
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

export interface EnqueueManyOptions<P> {
  /** Returns the `key` of each job. */
  keyOf?: (payload: P) => string;
  /** Skips keys that already have a waiting or running job or a dead letter, rather than replacing it. */
  skipExisting?: boolean;
}

/** Queues many jobs of one kind with one statement. */
export const enqueueMany = async <S extends z.ZodType>(
  sql: Sql,
  job: JobDefinition<S>,
  payloads: readonly z.input<S>[],
  { keyOf, skipExisting = false }: EnqueueManyOptions<z.input<S>> = {},
): Promise<void> => {
  if (payloads.length === 0) return;
  await sql.query(
    `select count(graphile_worker.add_job($1, payload := job.payload::json, max_attempts := $4, job_key := job.key,
       flags := case when job.key is not null then '{${keyedFlag}}'::text[] end))
     from unnest($2::text[], $3::text[]) as job (payload, key)
     where not ($5 and exists (
       select 1 from graphile_worker._private_jobs known where known.key = job.key
       union all select 1 from dead_lettered_jobs known where known.key = job.key))`,
    [
      job.name,
      payloads.map((payload) => JSON.stringify(job.payload.parse(payload))),
      payloads.map((payload) => keyOf?.(payload) ?? null),
      job.maxAttempts,
      skipExisting,
    ],
  );
};
