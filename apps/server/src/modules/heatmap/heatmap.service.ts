import type pg from 'pg';
import { addDays, dashboardDays } from '../../platform/clock/business-day.ts';
import type { Clock } from '../../platform/clock/index.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { oldestRetainedMonth } from '../usage/index.ts';
import {
  allowLongStatements,
  computeDay,
  type Day,
  dropDaysBefore,
  listStaleDays,
} from './heatmap.queries.ts';

const daysPerPage = 200;
/** Days that took longer are left to the run of all days: the recent ones of all organisations come first. */
const maxRecentMs = 60_000;

/**
 * Computes the days whose records have changed: the last days, or all days whose records are retained. Each day is
 * committed separately; the next run continues where a run stops. An error does not stop other days; it is thrown at
 * the end.
 */
export const refreshHeatmap = async (options: {
  pool: pg.Pool;
  clock: Clock;
  /** All days if omitted. */
  lastDays?: number;
  signal: AbortSignal;
}): Promise<void> => {
  const { pool, clock, lastDays, signal } = options;
  const areAll = lastDays === undefined;
  const now = clock.now();
  // A month's first hours belong to a day that began in the previous month, whose records may be gone.
  const oldest = addDays(dashboardDays.dayOf(await oldestRetainedMonth(pool, now)), 1);
  const since = areAll ? oldest : latest(oldest, addDays(dashboardDays.dayOf(now), 1 - lastDays));
  if (areAll) await inTransaction(pool, (tx) => dropDaysBefore(tx, oldest));
  const failures: unknown[] = [];
  let after: Day | undefined;
  for (;;) {
    const days = await listStaleDays(pool, {
      since,
      now,
      after,
      maxMs: areAll ? null : maxRecentMs,
      limit: daysPerPage,
    });
    for (const day of days) {
      if (signal.aborted) break;
      const done = inTransaction(pool, async (tx) => {
        if (areAll) await allowLongStatements(tx);
        await computeDay(tx, day, clock.now());
      });
      await done.catch((failure: unknown) => failures.push(failure));
    }
    after = days.at(-1);
    if (signal.aborted || days.length < daysPerPage) break;
  }
  if (failures.length > 0) throw failures[0];
};

const latest = (one: string, other: string): string => (one > other ? one : other);
