import type pg from 'pg';
import { inTransaction, type Sql } from '../../platform/db/index.ts';
import { type CycleRule, findDueCycles, findDueCyclesOf } from './live-usage.queries.ts';
import { addLiveUsage } from './live-usage.service.ts';
import { cycleOf, spanOf } from './usage.rules.ts';

/** SIMs in one transaction: intake must not wait long for any of them. */
const chunk = 1000;

/**
 * Turns the cycles of silent SIMs; active ones are turned by their own records. Without this, a stopped SIM would
 * never be able to send again.
 * @returns how many were turned
 */
export const turnDueCycles = async (options: {
  pool: pg.Pool;
  now: Date;
  signal?: AbortSignal;
}): Promise<number> => {
  const { pool, now, signal } = options;
  for (let total = 0; ; ) {
    const turned = await inTransaction(pool, async (tx) => {
      const rows = await findDueCycles(tx, { now, limit: chunk });
      await turn(tx, rows, now);
      return rows.length;
    });
    total += turned;
    if (turned < chunk || signal?.aborted) return total;
  }
};

/** Turns the cycles of these SIMs that are over, for what depends on the running one before anything is counted in it. */
export const turnCyclesOf = async (tx: Sql, simIds: readonly number[], now: Date): Promise<void> =>
  turn(tx, await findDueCyclesOf(tx, { simIds, now }), now);

const turn = async (tx: Sql, rules: readonly CycleRule[], now: Date): Promise<void> => {
  const cycles = rules.map(({ simId, resetCycle, activatedAt }) => {
    const span = spanOf(cycleOf({ bundle: resetCycle && { resetCycle }, activatedAt }, now));
    return { simId, ...span, used: 0, limit: null };
  });
  await addLiveUsage(tx, cycles, now);
};
