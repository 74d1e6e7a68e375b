import { setTimeout as sleep } from 'node:timers/promises';
import { activateOperation } from '../../modules/bundle/activation/activation.operation.ts';
import { endGraces, endOrders, endPreActivations } from '../../modules/bundle/lifecycle/lifecycle.service.ts';
import { orderingOperations } from '../../modules/bundle/ordering/ordering.operation.ts';
import { findPooledSims } from '../../modules/pool/index.ts';
import { taskModule } from '../../modules/task/index.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { startWorker } from '../../platform/jobs/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { crashAt, crashingPool } from '../crashing-pool.ts';
import { ageClaims } from '../jobs.ts';

/**
 * Advances lifecycles and kills itself: `node … <url> <what> <clock> <step> <n>`. What: `tasks` (the worker's,
 * until all have ended), `pre-activations`, `orders` or `graces` (one pass). Steps: `statement`, before the
 * n-th of the transactions; `before-commit`, `after-commit`; `none`.
 */
const [url = '', what = '', at = '', step = '', count = '1'] = process.argv.slice(2);
const { pool, close } = connect({ url, max: 6, name: 'bundle steps', onError: () => undefined });
const crashing = crashingPool(pool, crashAt(step, Number(count)));
const clock = new FixedClock(at);

const isBusy = async (): Promise<boolean> =>
  (await pool.query(`select 1 from tasks where status = 'processing'`)).rowCount !== 0;

const operations = [activateOperation, ...orderingOperations({ findPooledSims })];

const tasks = async (): Promise<void> => {
  const { jobs } = taskModule({ pool: crashing, clock, operations, fileWorks: [] });
  await ageClaims({ pool });
  const worker = await startWorker({
    pool,
    handlers: jobs.filter(({ job }) => job.cron === undefined),
    concurrency: 1,
    log: createLog({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
  });
  while (await isBusy()) await sleep(50);
  await worker.stop();
};

const run = { pool: crashing, now: clock.now() };
if (what === 'tasks') await tasks();
if (what === 'pre-activations') await endPreActivations(run);
if (what === 'orders') await endOrders(run);
if (what === 'graces') await endGraces(run);
await close();
