import { dayMs, hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { oldestRetainedMonth } from '../../usage/index.ts';
import {
  computeHours,
  dropCountsBefore,
  listStaleDays,
  listStaleHours,
  lockCounts,
  type OrgDay,
  type StaleHour,
} from './counts.queries.ts';
import { completePack, listIncomplete } from './sim-counts.queries.ts';
import { headSims } from './sim-counts.rules.ts';
import { listMissingHeads, makeHead } from './sim-heads.queries.ts';

/** Number of days with stale hours listed at a time. */
const staleDaysPerPage = 500;
/**
 * Records per transaction, whose hours may be of several days if these have few: consumers wait for the end of a
 * transaction, and in a process that also serves people, they wait for its computation.
 */
const maxRecordsPerTransaction = 50_000;
/**
 * A day with up to this many times as many records still has one transaction: each part of a divided day adds up the
 * whole day.
 */
const maxDayFactor = 6;

interface RefreshOptions {
  pool: pg.Pool;
  clock: Clock;
  lastHours?: number;
  signal: AbortSignal;
  /** Maximum number of records whose hours are computed in one transaction. */
  maxRecords?: number;
  /** Number of SIMs in the head of an hour or a day. */
  headSize?: number;
}

/**
 * Computes stale hours: of the last `lastHours`, or of the whole retention. An error does not stop other days and
 * organisations; it is thrown at the end.
 */
export const refreshCounts = async (options: RefreshOptions): Promise<void> => {
  const {
    pool,
    clock,
    lastHours,
    signal,
    maxRecords = maxRecordsPerTransaction,
    headSize = headSims,
  } = options;
  const now = clock.now();
  const oldest = await oldestRetainedMonth(pool, now);
  if (lastHours === undefined) await inTransaction(pool, (tx) => dropCountsBefore(tx, oldest));
  const recent = lastHours === undefined ? oldest : new Date(now.getTime() - lastHours * hourMs);
  // The clocks of gateways may be ahead.
  const span = { from: recent > oldest ? recent : oldest, to: new Date(now.getTime() + dayMs) };
  const failures: unknown[] = [];
  let after: OrgDay | undefined;
  for (;;) {
    const page = await listStaleDays(pool, { ...span, after, limit: staleDaysPerPage });
    for (const [orgId, days] of groupBy(page, (one) => one.orgId)) {
      const hours = await listStaleHours(pool, { orgId, days: days.map(({ day }) => day), ...span });
      const stale = { orgId, hours };
      failures.push(...(await computeStale(pool, stale, { clock, signal, maxRecords, headSize })));
    }
    after = page.at(-1);
    if (signal.aborted || page.length < staleDaysPerPage) break;
  }
  if (failures.length > 0) throw failures[0];
};

/** Packs completed per hourly run: all packs of an earlier version, or of a restored backup, are completed within days. */
const maxPacksPerRun = 200;
/** Heads per run; most are small. */
const maxHeadsPerRun = 2000;

interface CompleteOptions {
  pool: pg.Pool;
  clock: Clock;
  signal: AbortSignal;
  headSize?: number;
}

/** Creates maps and heads of packs that are missing or belong to an earlier version of the pack. */
export const completePacks = async (options: CompleteOptions): Promise<void> => {
  const { pool, clock, signal, headSize = headSims } = options;
  const failures: unknown[] = [];
  const withLock = async (orgId: number, work: (tx: Sql) => Promise<void>) => {
    if (signal.aborted) return;
    const done = inTransaction(pool, async (tx) => {
      await lockCounts(tx, orgId);
      await work(tx);
    });
    await done.catch((failure: unknown) => failures.push(failure));
  };
  for (const pack of await listIncomplete(pool, maxPacksPerRun)) {
    await withLock(pack.orgId, (tx) => completePack(tx, { ...pack, headSize }));
  }
  for (const head of await listMissingHeads(pool, clock.now(), maxHeadsPerRun)) {
    await withLock(head.orgId, (tx) => makeHead(tx, { ...head, headSize }));
  }
  if (failures.length > 0) throw failures[0];
};

/** @returns the errors of hours that could not be computed */
const computeStale = async (
  pool: pg.Pool,
  { orgId, hours }: { orgId: number; hours: readonly StaleHour[] },
  {
    clock,
    signal,
    maxRecords,
    headSize,
  }: Required<Pick<RefreshOptions, 'clock' | 'signal' | 'maxRecords' | 'headSize'>>,
): Promise<unknown[]> => {
  const failures: unknown[] = [];
  const batches = batchesOf(hours, maxRecords);
  for (const [index, batch] of batches.entries()) {
    if (signal.aborted) break;
    const laterHours = batches.slice(index + 1).flat();
    const done = inTransaction(pool, async (tx) => {
      await lockCounts(tx, orgId);
      await computeHours(tx, { orgId, hours: batch, laterHours, now: clock.now(), headSize });
    });
    await done.catch((failure: unknown) => failures.push(failure));
  }
  return failures;
};

/** Keeps days whole, except those with many more records. */
const batchesOf = (hours: readonly StaleHour[], maxRecords: number): Date[][] => {
  const days = groupBy(hours, ({ at }) => Math.floor(at.getTime() / dayMs));
  const maxDayRecords = maxDayFactor * maxRecords;
  const isLarge = (day: readonly StaleHour[]) => recordsOf(day) > maxDayRecords;
  const large = [...days.values()].filter(isLarge).flatMap((day) =>
    batchesUpTo(
      day.map((hour) => [hour]),
      maxDayRecords,
    ),
  );
  return [
    ...batchesUpTo(
      [...days.values()].filter((day) => !isLarge(day)),
      maxRecords,
    ),
    ...large,
  ].sort(([a], [b]) => (a?.getTime() ?? 0) - (b?.getTime() ?? 0));
};

/** Groups consecutive hours up to the given number of records. */
const batchesUpTo = (groups: readonly (readonly StaleHour[])[], maxRecords: number): Date[][] => {
  const batches: Date[][] = [];
  let remaining = 0;
  for (const group of groups) {
    const records = recordsOf(group);
    const last = records <= remaining ? batches.at(-1) : undefined;
    if (last) last.push(...group.map(({ at }) => at));
    else batches.push(group.map(({ at }) => at));
    remaining = (last ? remaining : maxRecords) - records;
  }
  return batches;
};

const recordsOf = (hours: readonly StaleHour[]): number =>
  hours.reduce((sum, { records }) => sum + records, 0);
