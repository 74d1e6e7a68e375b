import type pg from 'pg';
import { invalidateAllDays } from '../modules/heatmap/index.ts';
import { invalidateCosts } from '../modules/price/index.ts';
import { syncNetworks } from '../modules/sim/index.ts';
import { inTransaction } from '../platform/db/index.ts';
import { defineSchedule, handlerOf, type JobHandler } from '../platform/jobs/index.ts';

/**
 * Updates the networks to the list of this version. A network's country decides the price of its usage, and where
 * the heatmap counts its SIMs.
 */
export const updateNetworks = (pool: pg.Pool): Promise<void> =>
  inTransaction(pool, async (tx) => {
    if ((await syncNetworks(tx)) === 0) return;
    await invalidateCosts(tx);
    await invalidateAllDays(tx);
  });

const networksJob = defineSchedule({
  name: 'sim.sync-networks',
  maxAttempts: 3,
  timeoutMs: 300_000,
  cron: '50 2 * * *',
});

/**
 * Each worker updates the networks when it starts. During an upgrade, a worker of the previous version that starts
 * later, or runs this job, writes its older list back; the next night puts that right.
 */
export const networkList = ({ pool }: { pool: pg.Pool }): { jobs: JobHandler[] } => ({
  jobs: [handlerOf(networksJob, () => updateNetworks(pool))],
});
