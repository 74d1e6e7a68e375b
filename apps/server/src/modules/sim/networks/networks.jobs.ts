import type pg from 'pg';
import { z } from 'zod';
import { defineJob, handlerOf, type JobHandler } from '../../../platform/jobs/index.ts';
import { syncNetworks } from './networks.queries.ts';

const networksJob = defineJob({
  name: 'sim.sync-networks',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutMs: 60_000,
  cron: '50 2 * * *',
});

/** Each version of the list may have new and renamed operators. */
export const networkJobs = ({ pool }: { pool: pg.Pool }): JobHandler[] => [
  handlerOf(networksJob, async () => {
    await syncNetworks(pool);
  }),
];
