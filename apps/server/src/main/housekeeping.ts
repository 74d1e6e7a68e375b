import type pg from 'pg';
import { trimIdempotentRequests } from '../platform/http/index.ts';
import { defineSchedule, handlerOf, type JobHandler, trimDeadLetters } from '../platform/jobs/index.ts';
import { trimOutbox } from '../platform/outbox/index.ts';

const outboxRetentionHours = 24;

const trimJob = defineSchedule({
  name: 'platform.trim',
  maxAttempts: 3,
  timeoutMs: 300_000,
  cron: '*/10 * * * *',
});

/** Regular maintenance of the platform's own tables; modules maintain theirs. */
export const housekeeping = ({ pool }: { pool: pg.Pool }): { jobs: JobHandler[] } => ({
  jobs: [
    handlerOf(trimJob, async (_, { signal, log }) => {
      await trimIdempotentRequests(pool);
      await trimDeadLetters(pool);
      let trimmed = 0;
      for (let last = 1; last > 0 && !signal.aborted; trimmed += last)
        last = await trimOutbox(pool, outboxRetentionHours);
      if (trimmed > 0) log.debug({ trimmed }, 'old facts deleted');
    }),
  ],
});
