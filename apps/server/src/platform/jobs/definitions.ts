import type pg from 'pg';
import type { z } from 'zod';
import type { Log } from '../log/index.ts';

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
  exhausted?: (tx: pg.PoolClient, payload: unknown, failure: JobFailure) => Promise<void>;
}

export interface JobContext {
  /** Aborted at the timeout and when the process stops. */
  signal: AbortSignal;
  log: Log;
  /** Which attempt this is, from 1. */
  attempt: number;
}

/** How a job failed for the last time. */
export interface JobFailure {
  error: string;
  attempts: number;
}

export const defineJob = <S extends z.ZodType>(definition: JobDefinition<S>): JobDefinition<S> => definition;

/**
 * What does a job. `exhausted` is called once when all attempts have failed, in the transaction that dead-letters the job:
 * what it writes is there if and only if the job is a dead letter, wherever a process dies. It must not talk to the
 * outside; an error makes both be tried again.
 */
export const handlerOf = <S extends z.ZodType>(
  job: JobDefinition<S>,
  handle: (payload: z.output<S>, context: JobContext) => Promise<void>,
  exhausted?: (tx: pg.PoolClient, payload: z.output<S>, failure: JobFailure) => Promise<void>,
): JobHandler => ({
  job: job as unknown as JobDefinition,
  handle: (payload, context) => handle(job.payload.parse(payload), context),
  ...(exhausted && {
    exhausted: async (tx, payload, failure) => {
      const parsed = job.payload.safeParse(payload);
      // Of another version, whose payloads this one does not understand.
      if (parsed.success) await exhausted(tx, parsed.data, failure);
    },
  }),
});
