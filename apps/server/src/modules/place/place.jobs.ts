import type pg from 'pg';
import { defineSchedule, handlerOf, type JobHandler } from '../../platform/jobs/index.ts';
import { assignMissingHexagons } from './cells.service.ts';

const placeJob = defineSchedule({
  name: 'place.place-cells',
  maxAttempts: 2,
  timeoutMs: 240_000,
  cron: '*/5 * * * *',
});

export const placeJobs = ({ pool }: { pool: pg.Pool }): JobHandler[] => [
  handlerOf(placeJob, (_, { signal }) => assignMissingHexagons(pool, signal)),
];
