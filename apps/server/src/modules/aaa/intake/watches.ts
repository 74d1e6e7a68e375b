import type pg from 'pg';
import type { Listener } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { listWatches, type Watches, watchesChannel } from '../../usage/index.ts';

const reloadMs = 5_000;

/** Keeps in memory which organisations' usage is watched. Changes are seen within the interval at the latest. */
export const followWatches = async ({
  pool,
  log,
  listener,
}: {
  pool: pg.Pool;
  log: Log;
  listener?: Listener;
}): Promise<{ current: () => Watches; stop: () => void }> => {
  let watches = await listWatches(pool);
  const reload = () => {
    listWatches(pool).then(
      (found) => {
        watches = found;
      },
      (error: Error) => log.warn({ err: error }, 'usage watches could not be read'),
    );
  };
  const reloading = setInterval(reload, reloadMs);
  reloading.unref();
  await listener?.on(watchesChannel, reload);
  return { current: () => watches, stop: () => clearInterval(reloading) };
};
