import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/index.ts';

/** Judges what is stored of 30 days. What was found before it was interrupted is found again. */
export const replayJob = defineJob({
  name: 'autoflow.replay',
  payload: z.object({ id: z.number() }),
  maxAttempts: 2,
  timeoutMs: 300_000,
});
