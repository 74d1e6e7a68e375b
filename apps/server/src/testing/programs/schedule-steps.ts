import { setTimeout as sleep } from 'node:timers/promises';
import { beginDueRuns } from '../../modules/schedule/running/begin.service.ts';
import { runOperation } from '../../modules/schedule/running/recipients.ts';
import { taskModule } from '../../modules/task/index.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { startWorker } from '../../platform/jobs/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';
import { ageClaims } from '../jobs.ts';

/**
 * Begins the due runs of schedules and works through their tasks: `node … <url> <time> <step> <n>`. Kills
 * itself at a step of a crashing pool; `none` lives until every task has ended.
 */
const [url = '', time = '', step = '', count = '1'] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 6, name: 'schedule steps', onError: () => undefined });
const crashing = crashingPool(pool, crashAt(step, Number(count)));
const clock = new FixedClock(time);
const log = createLog({ level: 'silent', format: 'json' });

await ageClaims({ pool });
await beginDueRuns({ pool: crashing, clock }, { signal: new AbortController().signal, log });
const { jobs } = taskModule({ pool: crashing, clock, operations: [runOperation], fileWorks: [] });
const worker = await startWorker({
  pool,
  concurrency: 1,
  log,
  metrics: createMetrics(),
  handlers: jobs.filter(({ job }) => job.cron === undefined),
});
const isBusy = async (): Promise<boolean> =>
  (await pool.query(`select 1 from tasks where status = 'processing'`)).rowCount !== 0;
while (await isBusy()) await sleep(50);
await worker.stop();
await close();
