import type pg from 'pg';
import { inTransaction } from '../../platform/db/index.ts';
import { findDueCycles } from './live-usage.queries.ts';
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
      const cycles = rows.map(({ simId, resetCycle, activatedAt }) => {
        const span = spanOf(cycleOf({ bundle: resetCycle && { resetCycle }, activatedAt }, now));
        return { simId, ...span, used: 0, limit: null };
      });
      await addLiveUsage(tx, cycles, now);
      return rows.length;
    });
    total += turned;
    if (turned < chunk || signal?.aborted) return total;
  }
};
