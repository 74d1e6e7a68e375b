import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/index.ts';

/** Maximum number of records in one job. */
export const simsPerJob = 1000;

/** Evaluates records in a job rather than in the consumer of their fact, which delays other consumers while it works. */
export const evaluateUsageJob = defineJob({
  name: 'autoflow.judge-usage',
  payload: z.object({ orgId: z.number(), seen: z.array(z.tuple([z.number(), z.number()])).max(simsPerJob) }),
  maxAttempts: 8,
  timeoutMs: 60_000,
});

/** Evaluates records that intake counted before it learned of a change of an organisation's rules at `since` (milliseconds). */
export const reevaluateUsageJob = defineJob({
  name: 'autoflow.look-again',
  payload: z.object({ orgId: z.number(), since: z.number() }),
  maxAttempts: 8,
  timeoutMs: 300_000,
});
