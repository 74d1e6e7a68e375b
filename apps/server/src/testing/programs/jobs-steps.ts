import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { connect } from '../../platform/db/index.ts';
import { defineJob, handlerOf, startWorker } from '../../platform/jobs/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';

/** A worker for the tests of the queue: `die` kills it in the middle of a job, `work` does the job and ends. */
const [url = '', mode = ''] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 6, name: 'jobs steps', onError: () => undefined });
const done = new AbortController();

const job = defineJob({
  name: 'test.count-once',
  payload: z.object({ n: z.number() }),
  maxAttempts: 5,
  timeoutMs: 20_000,
});
const worker = await startWorker({
  pool,
  concurrency: 1,
  log: createLog({ level: 'silent', format: 'json' }),
  metrics: createMetrics(),
  handlers: [
    handlerOf(job, async ({ n }) => {
      await pool.query('insert into started (n) values ($1)', [n]);
      if (mode === 'die') process.kill(process.pid, 'SIGKILL');
      await pool.query('insert into finished (n) values ($1)', [n]);
      done.abort();
    }),
  ],
});
await sleep(30_000, undefined, { signal: done.signal }).catch(() => undefined);
await worker.stop();
await close();
