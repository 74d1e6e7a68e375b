import { runOperation } from './running/recipients.ts';
import { scheduleJobs } from './schedule.jobs.ts';
import { type ScheduleOptions, scheduleRoutes } from './schedule.routes.ts';

export { type PastSending, storePastRuns } from './past/past.service.ts';
export { listSchedulesWithTarget } from './reading/schedules.views.ts';
export { createSchedules } from './saving/schedules.service.ts';

/** Messages sent to SIMs at scheduled times. */
export const scheduleModule = (options: ScheduleOptions) => ({
  routes: scheduleRoutes(options),
  jobs: scheduleJobs(options),
  operations: [runOperation],
});
