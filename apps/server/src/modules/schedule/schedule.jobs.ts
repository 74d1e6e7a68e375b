import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { beginDueRuns, type RunningOptions } from './running/begin.service.ts';
import { dropOldRuns } from './running/retention.service.ts';
import { settleRuns } from './running/settle.service.ts';

const everyMinute = { maxAttempts: 1, timeoutMs: 300_000, cron: '* * * * *' } as const;
const beginJob = defineSchedule({ name: 'schedule.begin-runs', ...everyMinute });
const settleJob = defineSchedule({ name: 'schedule.settle-runs', ...everyMinute });
const dropJob = defineSchedule({
  name: 'schedule.drop-old-runs',
  ...everyMinute,
  maxAttempts: 3,
  cron: '50 3 * * *',
});

export const scheduleJobs = (options: RunningOptions): JobHandler[] => [
  handlerOf(beginJob, (_, context) => beginDueRuns(options, context)),
  handlerOf(settleJob, (_, context) => settleRuns(options, context)),
  handlerOf(dropJob, () => dropOldRuns(options)),
];
