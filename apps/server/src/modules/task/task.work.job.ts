import { z } from 'zod';
import { defineJob } from '../../platform/jobs/index.ts';

/** Goes on with a task. Each run starts where the last one got to, so a run that dies is simply followed by another. */
export const workJob = defineJob({
  name: 'task.work',
  payload: z.object({ taskId: z.int() }),
  maxAttempts: 25,
  timeoutMs: 30 * 60_000,
});
