import type pg from 'pg';
import { monthsKept, oldestKept } from '../usage-partitions.queries.ts';
import { compareUsage, listSimIds, type UsageDifference } from './verify.queries.ts';

/** SIMs in one statement: what it holds in memory is bounded, and what runs beside waits for nothing. */
const chunk = 500;

/**
 * Compares, SIM by SIM, what CDRs, rollups and counters say. Only reads, and may run beside intake.
 * @returns how many SIMs were compared and how many differ; each difference is handed to `onDifference`
 */
export const verifyUsage = async (options: {
  pool: pg.Pool;
  now: Date;
  onDifference: (difference: UsageDifference) => void;
}): Promise<{ sims: number; differing: number }> => {
  const { pool, now, onDifference } = options;
  // Not the oldest month: retention may drop it meanwhile, table by table.
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsKept.cdrs + 1, 1);
  const from = new Date(Math.max(month, (await oldestKept(pool, now)).getTime()));
  const report = { sims: 0, differing: 0 };
  for (let after = 0; ; ) {
    const simIds = await listSimIds(pool, after, chunk);
    const differences = simIds.length > 0 ? await compareUsage(pool, simIds, from) : [];
    for (const difference of differences) onDifference(difference);
    report.sims += simIds.length;
    report.differing += new Set(differences.map(({ iccid }) => iccid)).size;
    const last = simIds.at(-1);
    if (last === undefined || simIds.length < chunk) return report;
    after = last;
  }
};
