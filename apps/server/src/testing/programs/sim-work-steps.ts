import { setTimeout as sleep } from 'node:timers/promises';
import { findPoolSims, moveOrders } from '../../modules/bundle/index.ts';
import { exportWork } from '../../modules/sim/export/export.work.ts';
import { updateInfoOperation } from '../../modules/sim/info/info.operations.ts';
import { suspendOperation } from '../../modules/sim/operations/lifecycle.operations.ts';
import { undoOperation } from '../../modules/sim/operations/undo.operation.ts';
import { transferOperation } from '../../modules/sim/transfer/transfer.operation.ts';
import { taskModule } from '../../modules/task/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { startWorker } from '../../platform/jobs/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';
import { ageClaims } from '../jobs.ts';

/**
 * A worker that works through the tasks of a database and kills itself: `node … <url> <step> <n>`. Steps are
 * those of a crashing pool; `none` lives until every task has ended.
 */
import { testCosts } from '../prices.ts';

const [url = '', step = '', count = '1'] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 6, name: 'sim work steps', onError: () => undefined });
const crashing = crashingPool(pool, crashAt(step, Number(count)));
const clock = systemClock;

const { jobs } = taskModule({
  pool: crashing,
  clock,
  operations: [
    suspendOperation,
    updateInfoOperation,
    undoOperation,
    transferOperation({ onTransfer: [moveOrders], findPoolSims, findLastSeen: async () => [] }),
  ],
  fileWorks: [exportWork({ pool: crashing, clock, costsOf: testCosts(crashing) })],
});
await ageClaims({ pool });
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
