import type pg from 'pg';
import { readShards, type Shards } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { writtenHistories } from '../../usage/index.ts';

const reloadMs = 60_000;

/**
 * Keeps in memory where the histories of SIMs are on a cluster. It decides which lane a SIM is in and what its statements
 * name, never whether they are right: parts that have moved meanwhile are found by the coordinator all the same.
 */
export const followNodes = async ({
  pool,
  log,
}: {
  pool: pg.Pool;
  log: Log;
}): Promise<{ current: () => Shards | undefined; stop: () => void }> => {
  const read = () => readShards(pool, writtenHistories);
  let shards = await read();
  const reloading = setInterval(() => {
    read().then(
      (found) => {
        shards = found;
      },
      (error: Error) => log.warn({ err: error }, 'the nodes of the cluster could not be read'),
    );
  }, reloadMs);
  reloading.unref();
  return { current: () => shards, stop: () => clearInterval(reloading) };
};
