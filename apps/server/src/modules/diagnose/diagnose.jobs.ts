import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { dropExpiredLinks } from './diagnose.queries.ts';

const batch = 1000;

const purgeJob = defineSchedule({
  name: 'diagnose.purge-links',
  maxAttempts: 2,
  timeoutMs: 60_000,
  cron: '37 * * * *',
});

/** Deletes expired shared reports. */
export const diagnoseJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] => [
  handlerOf(purgeJob, async (_payload, { signal }) => {
    const now = clock.now();
    while (!signal.aborted && (await dropExpiredLinks(pool, { now, limit: batch })) === batch) {
      // Each round is a separate transaction.
    }
  }),
];
