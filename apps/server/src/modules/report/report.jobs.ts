import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { generateLateCosts, generateMonth } from './generation/generate.service.ts';
import { dueMonthsAt, lastMonth, oldestRetainedMonth } from './report.rules.ts';
import { deleteMonthsBefore } from './reports.queries.ts';

export interface ReportOptions {
  pool: pg.Pool;
  clock: Clock;
}

const generateJob = defineSchedule({
  name: 'report.make',
  maxAttempts: 1,
  timeoutMs: 3 * hourMs,
  cron: '40 * * * *',
});

/**
 * Makes due reports that do not exist yet, and deletes those past their retention. A month that fails does not block the
 * others; the error is thrown at the end.
 */
export const generateDueReports = async (
  { pool, clock }: ReportOptions,
  signal?: AbortSignal,
): Promise<void> => {
  const now = clock.now();
  await deleteMonthsBefore(pool, oldestRetainedMonth(now));
  const failures: unknown[] = [];
  for (const month of dueMonthsAt(now)) {
    const work = generateMonth(pool, { month, now, signal });
    await work.catch((failure: unknown) => failures.push(failure));
  }
  await generateLateCosts(pool, { month: lastMonth(now), now, signal });
  if (failures.length > 0) throw failures[0];
};

export const reportJobs = (options: ReportOptions): JobHandler[] => [
  handlerOf(generateJob, (_, { signal }) => generateDueReports(options, signal)),
];
