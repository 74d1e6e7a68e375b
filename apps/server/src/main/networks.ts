import type pg from 'pg';
import { outdateCosts } from '../modules/price/index.ts';
import { syncNetworks } from '../modules/sim/index.ts';
import { inTransaction } from '../platform/db/index.ts';

/** Brings the networks up to the list of this version. In which country one is decides what its usage costs. */
export const updateNetworks = (pool: pg.Pool): Promise<void> =>
  inTransaction(pool, async (tx) => {
    if ((await syncNetworks(tx)) > 0) await outdateCosts(tx);
  });
