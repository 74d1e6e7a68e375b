import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { defineSchedule, enqueue, handlerOf, type JobHandler } from '../../../platform/jobs/index.ts';
import { completePacks, refreshCounts } from './counts.service.ts';

/** Nearly all records arrive within this many hours. */
const recentHours = 48;

const recentJob = defineSchedule({
  name: 'cdr.count-recent-hours',
  maxAttempts: 1,
  timeoutMs: 110_000,
  cron: '*/2 * * * *',
});

const allJob = defineSchedule({
  name: 'cdr.count-all-hours',
  maxAttempts: 1,
  timeoutMs: 3_000_000,
  cron: '41 * * * *',
});

/** After an import of records of any age: their hours are counted at once, not in the next hourly run. */
export const queueCounting = (sql: Sql): Promise<void> => enqueue(sql, allJob, {}, { key: allJob.name });

export const countJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] => [
  handlerOf(recentJob, (_, { signal }) => refreshCounts({ pool, clock, lastHours: recentHours, signal })),
  handlerOf(allJob, async (_, { signal }) => {
    try {
      await refreshCounts({ pool, clock, signal });
    } finally {
      await completePacks({ pool, clock, signal });
    }
  }),
];
