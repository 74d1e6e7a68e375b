import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { defineJob, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { purgeTasks, sweepTasks } from './task.service.ts';
import type { TaskWorker } from './work/work.service.ts';
import { workJob } from './work.job.ts';

const sweep = defineJob({
  name: 'task.sweep',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutMs: 60_000,
  cron: '*/10 * * * *',
});

const purge = defineJob({
  name: 'task.purge',
  payload: z.object({}),
  maxAttempts: 3,
  timeoutMs: 600_000,
  cron: '17 * * * *',
});

export const taskJobs = (options: { pool: pg.Pool; clock: Clock }, worker: TaskWorker): JobHandler[] => [
  handlerOf(workJob, ({ taskId }, context) => worker.work(taskId, context)),
  handlerOf(sweep, () => sweepTasks(options)),
  handlerOf(purge, () => purgeTasks(options)),
];
