import type pg from 'pg';
import { invalidateAllDays } from '../modules/heatmap/index.ts';
import { invalidateCosts } from '../modules/price/index.ts';
import { syncNetworks } from '../modules/sim/index.ts';
import { inTransaction } from '../platform/db/index.ts';

/**
 * Updates the networks to the list of this version, at the start of each worker. A network's country decides the price of its usage, and where the heatmap
 * counts its SIMs.
 */
export const updateNetworks = (pool: pg.Pool): Promise<void> =>
  inTransaction(pool, async (tx) => {
    if ((await syncNetworks(tx)) === 0) return;
    await invalidateCosts(tx);
    await invalidateAllDays(tx);
  });
