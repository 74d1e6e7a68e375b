import { runOperation } from './running/recipients.ts';
import { scheduleJobs } from './schedule.jobs.ts';
import { type ScheduleOptions, scheduleRoutes } from './schedule.routes.ts';

export { type PastSending, storePastRuns } from './past/past.service.ts';
export { listSchedulesWithTarget } from './reading/schedules.views.ts';
export { createSaving } from './saving/schedules.service.ts';

/** Messages that are sent to SIMs by the clock. */
export const scheduleModule = (options: ScheduleOptions) => ({
  routes: scheduleRoutes(options),
  jobs: scheduleJobs(options),
  operations: [runOperation],
});
