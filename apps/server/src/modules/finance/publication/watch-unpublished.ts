import { minuteMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { Metrics } from '../../../platform/metrics/index.ts';
import { countUnpublished } from './held.views.ts';

/** Reports to the metrics, every minute, how many bills should have been published. */
export const watchUnpublished = (options: {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}): { stop: () => Promise<void> } => {
  const { pool, clock, log, metrics } = options;
  const read = async () => {
    try {
      metrics.billsUnpublished.set(await countUnpublished(pool, clock.now()));
    } catch (error) {
      // Nobody could tell the last value from the present one.
      metrics.billsUnpublished.remove();
      log.warn({ err: error }, 'the bills that should have been published could not be counted');
    }
  };
  let reading = read();
  const timer = setInterval(() => {
    reading = reading.then(read);
  }, minuteMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await reading;
    },
  };
};
