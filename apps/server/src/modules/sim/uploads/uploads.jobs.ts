import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../../platform/jobs/index.ts';
import { deleteUnusedTags } from '../tags/tags.queries.ts';
import { deleteExpiredUploads } from './uploads.queries.ts';

const tidyJob = defineSchedule({
  name: 'sim.tidy-uploads',
  maxAttempts: 2,
  timeoutMs: 60_000,
  cron: '*/15 * * * *',
});

/** Deletes files that were read and never applied, and tags that no SIM has. */
export const uploadJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] => [
  handlerOf(tidyJob, async () => {
    await deleteExpiredUploads(pool, clock.now());
    await deleteUnusedTags(pool);
  }),
];
