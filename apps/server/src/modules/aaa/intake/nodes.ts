import type pg from 'pg';
import { readShards, type Shards } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { writtenHistories } from '../../usage/index.ts';

const reloadMs = 60_000;

/**
 * Keeps the location of SIM histories on a cluster in memory. It only selects a SIM's lane and the shards that
 * statements name; correctness does not depend on it, because the coordinator finds shards that have moved.
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
