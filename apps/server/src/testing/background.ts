import { createListener } from '../platform/db/index.ts';
import { startWorker } from '../platform/jobs/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';
import { startRelay } from '../platform/outbox/index.ts';
import type { TestApp } from './app.ts';

/** A real server's worker, with its queue and relay, next to the app under test. */
export const startBackground = async ({
  database,
  wiring,
}: Pick<TestApp, 'database' | 'wiring'>): Promise<{ stop: () => Promise<void> }> => {
  const { pool } = database;
  const log = createLog({ level: 'silent', format: 'json' });
  const metrics = createMetrics();
  const listener = createListener(database.url, log);
  const relay = await startRelay({ pool, listener, consumers: wiring.consumers, log, metrics });
  // Without scheduled jobs, which would interfere.
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
