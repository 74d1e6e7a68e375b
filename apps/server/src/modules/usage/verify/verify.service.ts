import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { retentionMonths } from '../retention.ts';
import { oldestRetainedMonth } from '../usage-partitions.queries.ts';
import {
  allowLongStatements,
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

/** The unit of comparison: some SIMs, the weeks of a month in which organisations differ, or a cycle of a pool. */
export type Part = { simIds: readonly number[]; from: Date } | { weeks: readonly Window[] } | PooledCycle;

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
  const read = <T>(compare: (tx: Sql) => Promise<T>): Promise<T> =>
    inTransaction(pool, async (tx) => {
      await allowLongStatements(tx);
      return compare(tx);
    });
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
    if (simIds.length > 0)
      await reportDifferences({ simIds, from }, await read((tx) => compareUsage(tx, simIds, from)));
    sims += simIds.length;
    after = simIds.length < chunk ? undefined : simIds.at(-1);
  }
  for (const month of monthsOf(from, now)) {
    const weeks: Window[] = [];
    const found: UsageDifference[] = [];
    // A month at once would be too much for one statement, and a statement for each day takes long on a cluster.
    for (const week of weeksOf(month)) {
      if (week.from > now) break;
      const differences = await read((tx) => compareOrgUsage(tx, week));
      if (differences.length > 0) weeks.push(week);
      found.push(...differences);
    }
    await reportDifferences({ weeks }, sumOf(found));
  }
  const cycles = await pooledUsage.listCycles(pool, { from, until: now });
  for (const cycle of cycles)
    await reportDifferences(cycle, await read((tx) => pooledUsage.compare(tx, cycle)));
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

/** A month in parts of up to seven business days. */
const weeksOf = ({ from, until }: Window): Window[] => {
  const weeks: Window[] = [];
  for (let begin = from; begin < until; ) {
    const lastDay = dashboardDays.dayOf(new Date(begin.getTime() + 6 * dayMs));
    const end = new Date(Math.min(dashboardDays.endOf(lastDay).getTime(), until.getTime()));
    weeks.push({ from: begin, until: end });
    begin = end;
  }
  return weeks;
};

/** Differences of weeks of a month, by organisation and kind. */
export const sumOf = (differences: readonly UsageDifference[]): UsageDifference[] =>
  [...groupBy(differences, ({ organisation, what }) => `${what} ${organisation}`).values()].flatMap(
    (alike) => {
      const sum = (pick: (difference: UsageDifference) => string) =>
        String(alike.reduce((total, difference) => total + BigInt(pick(difference)), 0n));
      return alike.slice(0, 1).map((first) => ({
        ...first,
        differing: alike.reduce((total, { differing }) => total + differing, 0),
        recordedBytes: sum(({ recordedBytes }) => recordedBytes),
        storedBytes: sum(({ storedBytes }) => storedBytes),
      }));
    },
  );
