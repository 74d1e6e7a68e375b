import { completePacks, refreshCounts } from '../../apps/server/src/modules/cdr/counts/counts.service.ts';
import { systemClock } from '../../apps/server/src/platform/clock/index.ts';
import { connect } from '../../apps/server/src/platform/db/index.ts';
import type { Fleet } from './fleet.ts';
import type { Run } from './run.ts';

/**
 * Computes the hours and days of all records, as the server's job does.
 * @returns how long it took, milliseconds
 */
export const computeCounts = async (run: Run, { databaseUrl }: Fleet): Promise<number> => {
  const onError = (error: Error) => run.note(error.message);
  const { pool, close } = connect({ url: databaseUrl, max: 1, name: 'bench', onError });
  const begin = performance.now();
  try {
    const options = { pool, clock: systemClock, signal: new AbortController().signal };
    await refreshCounts(options);
    await completePacks(options);
    await pool.query(
      'vacuum (analyze) cdr_counts, cdr_firsts, cdr_sim_counts, cdr_sim_heads, cdr_hours, cdr_traits, cdr_sessions',
    );
  } finally {
    await close();
  }
  return performance.now() - begin;
};
