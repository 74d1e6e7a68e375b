import { z } from 'zod';
import { defineJob } from '../../platform/jobs/index.ts';

/** Continues a task from where the last run stopped, also after a crash. */
export const workJob = defineJob({
  name: 'task.work',
  payload: z.object({ taskId: z.int() }),
  maxAttempts: 25,
  timeoutMs: 30 * 60_000,
});

/** A task has at most one job, whatever queues it. */
export const workKey = (taskId: number): string => `task.work:${taskId}`;
