import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { refreshStoredCosts, type StoredCostsOptions } from './costs/stored-costs.service.ts';

const storedCostsJob = defineSchedule({
  name: 'price.keep-costs',
  maxAttempts: 1,
  timeoutMs: 1_800_000,
  cron: '* * * * *',
});

export const priceJobs = (options: StoredCostsOptions): JobHandler[] => [
  handlerOf(storedCostsJob, (_, { signal }) => refreshStoredCosts(options, signal)),
];
