import { z } from 'zod';
import { defineJob } from '../../platform/jobs/index.ts';

/** Continues a task. Each run starts where the last one stopped, so after a crash another run continues. */
export const workJob = defineJob({
  name: 'task.work',
  payload: z.object({ taskId: z.int() }),
  maxAttempts: 25,
  timeoutMs: 30 * 60_000,
});

/** A task has one job, whatever queues it. */
export const workKey = (taskId: number): string => `task.work:${taskId}`;
