import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { purgeTasks, sweepTasks } from './task.service.ts';
import type { TaskWorker } from './work/work.service.ts';
import { workJob } from './work.job.ts';

const sweep = defineSchedule({
  name: 'task.sweep',
  maxAttempts: 3,
  timeoutMs: 60_000,
  cron: '*/10 * * * *',
});

const purge = defineSchedule({
  name: 'task.purge',
  maxAttempts: 3,
  timeoutMs: 600_000,
  cron: '17 * * * *',
});

export const taskJobs = (options: { pool: pg.Pool; clock: Clock }, worker: TaskWorker): JobHandler[] => [
  handlerOf(workJob, ({ taskId }, context) => worker.work(taskId, context)),
  handlerOf(sweep, () => sweepTasks(options)),
  handlerOf(purge, () => purgeTasks(options)),
];
