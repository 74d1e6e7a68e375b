import { runOperation } from './running/recipients.ts';
import { scheduleJobs } from './schedule.jobs.ts';
import { type ScheduleOptions, scheduleRoutes } from './schedule.routes.ts';

/** Messages that are sent to SIMs by the clock. */
export const scheduleModule = (options: ScheduleOptions) => ({
  routes: scheduleRoutes(options),
  jobs: scheduleJobs(options),
  operations: [runOperation],
});
