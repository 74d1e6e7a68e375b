import { z } from 'zod';
import { defineJob, defineSchedule } from '../../../platform/jobs/index.ts';

/** Queues a run for each organisation that has rules on time. */
export const findTimesJob = defineSchedule({
  name: 'autoflow.find-times',
  maxAttempts: 1,
  timeoutMs: 60_000,
  cron: '* * * * *',
});

/** Evaluates what has become due for an organisation's rules on time. */
export const evaluateTimesJob = defineJob({
  name: 'autoflow.judge-times',
  payload: z.object({ orgId: z.number() }),
  maxAttempts: 8,
  timeoutMs: 300_000,
});
