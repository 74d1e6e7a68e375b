import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { defineJob, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { generateMonth } from './generate.service.ts';
import { dueMonthAt, oldestRetainedMonth } from './report.rules.ts';
import { deleteMonthsBefore } from './reports.queries.ts';

export interface ReportOptions {
  pool: pg.Pool;
  clock: Clock;
}

const generateJob = defineJob({
  name: 'report.make',
  payload: z.object({}),
  maxAttempts: 1,
  timeoutMs: 3 * 3_600_000,
  cron: '40 * * * *',
});

/** Makes due reports that do not exist yet, and deletes those past their retention. */
export const generateDueReports = async (
  { pool, clock }: ReportOptions,
  signal?: AbortSignal,
): Promise<void> => {
  const now = clock.now();
  await deleteMonthsBefore(pool, oldestRetainedMonth(now));
  const due = dueMonthAt(now);
  if (due) await generateMonth(pool, { month: due.month, now, signal });
};

export const reportJobs = (options: ReportOptions): JobHandler[] => [
  handlerOf(generateJob, (_, { signal }) => generateDueReports(options, signal)),
];
