import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import { defineJob, handlerOf, type JobHandler } from '../../../platform/jobs/index.ts';
import { deleteUnusedTags } from '../tags/tags.queries.ts';
import { deleteExpiredUploads } from './uploads.queries.ts';

const tidyJob = defineJob({
  name: 'sim.tidy-uploads',
  payload: z.object({}),
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
