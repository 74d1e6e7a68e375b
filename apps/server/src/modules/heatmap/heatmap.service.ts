import type pg from 'pg';
import { addDays, dashboardDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { oldestRetainedMonth } from '../usage/index.ts';
import { computeDay, dropDaysBefore, listStaleDays } from './heatmap.queries.ts';

const daysPerPage = 200;

/**
 * Computes the days whose records have changed: the last days, or all days whose records are retained. Each day is
 * committed separately; the next run continues where a run stops.
 */
export const refreshHeatmap = async (options: {
  pool: pg.Pool;
  clock: Clock;
  /** All days if omitted. */
  lastDays?: number;
  signal: AbortSignal;
}): Promise<void> => {
  const { pool, clock, lastDays, signal } = options;
  const now = clock.now();
  // A month's first hours belong to a day that began in the previous month, whose records may be gone.
  const oldest = addDays(dashboardDays.dayOf(await oldestRetainedMonth(pool, now)), 1);
  const since =
    lastDays === undefined ? oldest : latest(oldest, addDays(dashboardDays.dayOf(now), 1 - lastDays));
  if (lastDays === undefined) await inTransaction(pool, (tx) => dropDaysBefore(tx, oldest));
  for (;;) {
    const days = await listStaleDays(pool, { since, now, limit: daysPerPage });
    for (const day of days) {
      if (signal.aborted) return;
      await inTransaction(pool, (tx) => computeDay(tx, day, clock.now()));
    }
    if (days.length < daysPerPage) return;
  }
};

const latest = (one: string, other: string): string => (one > other ? one : other);
