import type pg from 'pg';
import { invalidateCosts } from '../modules/price/index.ts';
import { syncNetworks } from '../modules/sim/index.ts';
import { inTransaction } from '../platform/db/index.ts';

/** Updates the networks to the list of this version. A network's country decides the price of its usage. */
export const updateNetworks = (pool: pg.Pool): Promise<void> =>
  inTransaction(pool, async (tx) => {
    if ((await syncNetworks(tx)) > 0) await invalidateCosts(tx);
  });
