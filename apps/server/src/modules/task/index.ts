import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { taskJobs } from './task.jobs.ts';
import { taskRoutes } from './task.routes.ts';
import { beginTaskFor, type TaskFor } from './task.service.ts';

export const taskModule = (options: { pool: pg.Pool; clock: Clock }) => ({
  routes: taskRoutes(options),
  jobs: taskJobs(options),
  /** For work of the command line that a person shall see. */
  beginFor: (task: TaskFor) => beginTaskFor(options, task),
});
