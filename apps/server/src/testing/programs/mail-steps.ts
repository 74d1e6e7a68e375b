import { setTimeout as sleep } from 'node:timers/promises';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { startWorker } from '../../platform/jobs/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { mailJobs } from '../../platform/mail/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';

/** A worker for the tests of mails: `die` kills it after a mail was sent and before its job is done, `work` ends then. */
const [url = '', smtpUrl = '', mode = ''] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 6, name: 'mail steps', onError: () => undefined });
const log = createLog({ level: 'silent', format: 'json' });
const done = new AbortController();
const settings = {
  smtpUrl,
  from: { name: 'SimCube', address: 'simcube@example.test' },
  directory: '/nonexistent',
};
const handlers = mailJobs({
  vault: vaultOf(Buffer.alloc(32, 7)),
  clock: new FixedClock('2026-11-21T12:00:00Z'),
  settings,
  log,
}).map(({ job, handle }) => ({
  job,
  handle: async (...args: Parameters<typeof handle>) => {
    await handle(...args);
    if (mode === 'die') process.kill(process.pid, 'SIGKILL');
    done.abort();
  },
}));
const worker = await startWorker({ pool, concurrency: 1, log, metrics: createMetrics(), handlers });
await sleep(30_000, undefined, { signal: done.signal }).catch(() => undefined);
await worker.stop();
await close();
