import { z } from 'zod';
import { defineJob, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { type KeepCostsOptions, keepCosts } from './kept-costs.service.ts';

const keepJob = defineJob({
  name: 'price.keep-costs',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutMs: 1_800_000,
  cron: '* * * * *',
});

export const priceJobs = (options: KeepCostsOptions): JobHandler[] => [
  handlerOf(keepJob, (_, { signal }) => keepCosts(options, signal)),
];
