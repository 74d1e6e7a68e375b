import { createListener } from '../platform/db/index.ts';
import { startWorker } from '../platform/jobs/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { startRelay } from '../platform/outbox/index.ts';
import type { TestApp } from './app.ts';

/** The worker of a server for real: its queue and its relay, beside the app under test. */
export const startBackground = async ({
  database,
  wiring,
}: Pick<TestApp, 'database' | 'wiring'>): Promise<{ stop: () => Promise<void> }> => {
  const { pool } = database;
  const log = createLog({ level: 'silent', format: 'json' });
  const metrics = createMetrics();
  const listener = createListener(database.url, log);
  const relay = await startRelay({ pool, listener, consumers: wiring.consumers, log, metrics });
  // Without the jobs of the clock, which would meddle.
  const handlers = wiring.jobs.filter(({ job }) => job.cron === undefined);
  const worker = await startWorker({ pool, handlers, concurrency: 4, log, metrics });
  return {
    stop: async () => {
      await relay.stop();
      await worker.stop();
      await listener.close();
    },
  };
};
