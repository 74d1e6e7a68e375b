import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { dropOldCalls, prepareDays } from './log/log.queries.ts';
import { trimNonces } from './signatures/signatures.queries.ts';

const trimJob = defineSchedule({
  name: 'developer.trim-nonces',
  maxAttempts: 3,
  timeoutMs: 300_000,
  cron: '*/5 * * * *',
});

const maintainLogJob = defineSchedule({
  name: 'developer.keep-api-log',
  maxAttempts: 3,
  timeoutMs: 300_000,
  cron: '10 * * * *',
});

export const developerJobs = ({ pool, clock }: { pool: pg.Pool; clock: Clock }): JobHandler[] => [
  handlerOf(trimJob, async (_, { signal }) => {
    for (let last = 1; last > 0 && !signal.aborted; ) last = await trimNonces(pool, clock.now());
  }),
  handlerOf(maintainLogJob, async () => {
    await prepareDays(pool, clock.now());
    await dropOldCalls(pool, clock.now());
  }),
];
