import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { oldestRetainedMonth } from '../../usage/index.ts';
import {
  computeHours,
  dropCountsBefore,
  listStaleHours,
  lockCounts,
  type StaleHours,
} from './counts.queries.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** So many are looked for; those of a day are computed in one transaction. */
const hoursListed = 2000;

/** Computes the hours whose records have changed: of the last so many hours, or of all whose records are kept. */
export const refreshCounts = async (options: {
  pool: pg.Pool;
  clock: Clock;
  lastHours?: number;
  signal: AbortSignal;
}): Promise<void> => {
  const { pool, clock, lastHours, signal } = options;
  const now = clock.now();
  const kept = await oldestRetainedMonth(pool, now);
  if (lastHours === undefined) await inTransaction(pool, (tx) => dropCountsBefore(tx, kept));
  const recent = lastHours === undefined ? kept : new Date(now.getTime() - lastHours * hourMs);
  // Gateways' clocks may be some minutes ahead.
  const span = { from: recent > kept ? recent : kept, to: new Date(now.getTime() + 24 * hourMs) };
  for (;;) {
    const stale = await listStaleHours(pool, { orgId: null, ...span, most: hoursListed });
    for (const one of stale) await computeStale(pool, one, { now: clock.now(), signal });
    const count = stale.reduce((sum, { hours }) => sum + hours.length, 0);
    if (signal.aborted || count < hoursListed) return;
  }
};

const computeStale = async (
  pool: pg.Pool,
  { orgId, hours }: StaleHours,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<void> => {
  const days = new Map<number, Date[]>();
  for (const hour of hours) {
    const day = Math.floor(hour.getTime() / dayMs);
    days.set(day, [...(days.get(day) ?? []), hour]);
  }
  for (const ofDay of days.values()) {
    if (signal.aborted) return;
    await inTransaction(pool, async (tx) => {
      await lockCounts(tx, orgId);
      await computeHours(tx, { orgId, hours: ofDay }, now);
    });
  }
};
