import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/index.ts';

/** The most records of one job. */
export const simsPerJob = 1000;

/** Judges what records brought: not in the consumer of their fact, which holds back others while it works. */
export const judgeUsageJob = defineJob({
  name: 'autoflow.judge-usage',
  payload: z.object({ orgId: z.number(), seen: z.array(z.tuple([z.number(), z.number()])).max(simsPerJob) }),
  maxAttempts: 8,
  timeoutMs: 60_000,
});

/** Judges what intake took before it had heard that an organisation's rules were changed, `since` then (milliseconds). */
export const lookAgainJob = defineJob({
  name: 'autoflow.look-again',
  payload: z.object({ orgId: z.number(), since: z.number() }),
  maxAttempts: 8,
  timeoutMs: 300_000,
});
