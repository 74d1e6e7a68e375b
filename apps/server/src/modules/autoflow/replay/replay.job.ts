import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/index.ts';

/** Evaluates 30 days of stored data. After an interruption it starts over and finds the same. */
export const replayJob = defineJob({
  name: 'autoflow.replay',
  payload: z.object({ id: z.number() }),
  maxAttempts: 2,
  timeoutMs: 300_000,
});
