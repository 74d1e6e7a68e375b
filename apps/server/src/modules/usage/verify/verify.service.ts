import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { oldestRetainedMonth, retentionMonths } from '../usage-partitions.queries.ts';
import {
  compareOrgUsage,
  compareUsage,
  listSimIds,
  type UsageDifference,
  type Window,
} from './verify.queries.ts';

/** SIMs per statement, which bounds its memory; concurrent work waits for nothing. */
const chunk = 500;

/** A cycle of a shared pool. */
export interface PooledCycle extends Window {
  poolId: number;
}

/** What shared pools count: members, hours and counters. Implemented by `pool`. */
export interface PooledUsage {
  listCycles: (sql: Sql, startedWithin: Window) => Promise<PooledCycle[]>;
  compare: (sql: Sql, cycle: PooledCycle) => Promise<UsageDifference[]>;
  /** Makes the cycle match the CDRs, with an entry in the audit trail; returns what differed. */
  repair: (tx: Sql, cycle: PooledCycle, by: { actor: Actor; now: Date }) => Promise<UsageDifference[]>;
}

export interface VerifyOptions {
  pool: pg.Pool;
  pooledUsage: PooledUsage;
  now: Date;
  onDifference: (difference: UsageDifference) => void;
}

export interface VerifyReport {
  sims: number;
  pools: number;
  /** SIMs, organisations and pools. */
  differing: number;
}

/** The unit of comparison: some SIMs, a month of all organisations, or a cycle of a pool. */
export type Part = { simIds: readonly number[]; from: Date } | Window | PooledCycle;

/**
 * Compares CDRs, rollups and counters by SIM, then organisations by month and pools by cycle. Reads only, and may run
 * while intake does.
 * @param onPart called after each part that has differences
 * @returns how many SIMs and pools were compared, and how many of them and of the organisations differ; each
 * difference is passed to `onDifference`
 */
export const verifyUsage = async (
  { pool, pooledUsage, now, onDifference }: VerifyOptions,
  onPart: (part: Part, differences: readonly UsageDifference[]) => Promise<void> = async () => undefined,
): Promise<VerifyReport> => {
  const from = await comparedFrom(pool, now);
  const differing = new Set<string>();
  const reportDifferences = async (part: Part, differences: readonly UsageDifference[]): Promise<void> => {
    for (const difference of differences) {
      onDifference(difference);
      differing.add(nameOf(difference));
    }
    if (differences.length > 0) await onPart(part, differences);
  };
  let sims = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const simIds = await listSimIds(pool, after, chunk);
    if (simIds.length > 0) await reportDifferences({ simIds, from }, await compareUsage(pool, simIds, from));
    sims += simIds.length;
    after = simIds.length < chunk ? undefined : simIds.at(-1);
  }
  for (const window of monthsOf(from, now))
    await reportDifferences(window, await compareOrgUsage(pool, window));
  const cycles = await pooledUsage.listCycles(pool, { from, until: now });
  for (const cycle of cycles) await reportDifferences(cycle, await pooledUsage.compare(pool, cycle));
  return { sims, pools: new Set(cycles.map(({ poolId }) => poolId)).size, differing: differing.size };
};

/** The name of the thing that differs. */
export const nameOf = ({ iccid, organisation, pool }: UsageDifference): string =>
  iccid ?? (pool === undefined ? `organisation ${organisation}` : `pool ${pool} of ${organisation}`);

/** Excludes the oldest month: retention may drop it table by table during the comparison. */
const comparedFrom = async (pool: pg.Pool, now: Date): Promise<Date> => {
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - retentionMonths.cdrs + 1, 1);
  return new Date(Math.max(month, (await oldestRetainedMonth(pool, now)).getTime()));
};

/** Months of the dashboard up to that of `now`, from the first whole day that is retained. */
const monthsOf = (from: Date, now: Date): Window[] => {
  const windows: Window[] = [];
  let begin = dashboardDays.endOf(dashboardDays.dayOf(new Date(from.getTime() - 1)));
  while (begin <= now) {
    const until = dashboardDays.startOfMonth(addMonths(dashboardDays.monthOf(begin), 1));
    windows.push({ from: begin, until });
    begin = until;
  }
  return windows;
};
