import { setTimeout as sleep } from 'node:timers/promises';
import { suspendOperation } from '../../modules/sim/operations/lifecycle.operations.ts';
import { taskModule } from '../../modules/task/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { startWorker } from '../../platform/jobs/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { mortal, mortalPool } from '../mortal-pool.ts';

/**
 * A worker that goes through the tasks of a database and dies as by a crash: `node … <url> <step> <n>`. Steps:
 * `statement`, before the n-th statement of the transactions that work on SIMs; `before-commit`, `after-commit`; `none`
 * lives until every task has ended.
 */
const [url = '', step = '', count = '1'] = process.argv.slice(2);
const reach = mortal(step, Number(count));
const { pool, close } = connect({ url, max: 6, name: 'sim work steps', onError: () => undefined });

const { jobs } = taskModule({
  pool: mortalPool(pool, reach),
  clock: systemClock,
  operations: [suspendOperation],
  fileWorks: [],
});
const worker = await startWorker({
  pool,
  handlers: jobs.filter(({ job }) => job.cron === undefined),
  concurrency: 1,
  log: createLog({ level: 'silent', format: 'json' }),
  metrics: createMetrics(),
});
const isBusy = async (): Promise<boolean> =>
  (await pool.query(`select 1 from tasks where status = 'processing'`)).rowCount !== 0;
while (await isBusy()) await sleep(50);
await worker.stop();
await close();
