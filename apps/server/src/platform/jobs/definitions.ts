import type pg from 'pg';
import { z } from 'zod';
import type { Log } from '../log/index.ts';

/**
 * A kind of background work. New payload fields must be optional: jobs queued by the previous version may still
 * exist.
 */
export interface JobDefinition<S extends z.ZodType = z.ZodType> {
  /** `<domain>.<verb-object>`, in the imperative. */
  name: string;
  payload: S;
  maxAttempts: number;
  timeoutMs: number;
  /** Five-field cron pattern (UTC) of a scheduled job. */
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
  /** The number of this attempt, from 1. */
  attempt: number;
}

/** A job's last failure. */
export interface JobFailure {
  error: string;
  attempts: number;
}

export const defineJob = <S extends z.ZodType>(
  definition: Omit<JobDefinition<S>, 'cron'>,
): JobDefinition<S> => definition;

const noPayload = z.object({});

/** A job that runs by the clock, so without a payload. */
export const defineSchedule = (
  definition: Required<Omit<JobDefinition, 'payload'>>,
): JobDefinition<typeof noPayload> => ({ ...definition, payload: noPayload });

/**
 * Binds a job to its handler. `exhausted` is called once when all attempts have failed, in the transaction that
 * dead-letters the job, so its writes exist if and only if the job is a dead letter, wherever a process dies.
 * It must have no effects outside the database; an error rolls both back, to be tried again.
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
      // Queued by another version, whose payload this one does not understand.
      if (parsed.success) await exhausted(tx, parsed.data, failure);
    },
  }),
});
