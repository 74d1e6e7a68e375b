import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { defineSchedule, enqueue, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { refreshHeatmap } from './heatmap.service.ts';

/** Nearly all records arrive within this many days. */
const recentDays = 3;

const recentJob = defineSchedule({
  name: 'heatmap.refresh-recent-days',
  maxAttempts: 1,
  timeoutMs: 270_000,
  cron: '*/4 * * * *',
});

const allJob = defineSchedule({
  name: 'heatmap.refresh-all-days',
  maxAttempts: 1,
  timeoutMs: 3_000_000,
  cron: '27 * * * *',
});

/** Computes all days now, not in the next hourly run. */
export const queueAllDays = (sql: Sql): Promise<void> => enqueue(sql, allJob, {}, { key: allJob.name });

export const heatmapJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] => [
  handlerOf(recentJob, (_, { signal }) => refreshHeatmap({ pool, clock, lastDays: recentDays, signal })),
  handlerOf(allJob, (_, { signal }) => refreshHeatmap({ pool, clock, signal })),
];
