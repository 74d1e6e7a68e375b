import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { suspendOperation } from '../../modules/sim/operations/lifecycle.operations.ts';
import { taskModule } from '../../modules/task/index.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { connect } from '../../platform/db/index.ts';
import { startWorker } from '../../platform/jobs/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';

/**
 * A worker that goes through the tasks of a database and dies as by a crash: `node … <url> <step> <n>`. Steps:
 * `statement`, before the n-th statement of the transactions that work on SIMs; `before-commit`, `after-commit`; `none`
 * lives until every task has ended.
 */
const [url = '', step = '', count = '1'] = process.argv.slice(2);
let left = Number(count);

const reach = (name: string): void => {
  if (name !== step) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};

const { pool, close } = connect({ url, max: 6, name: 'sim work steps', onError: () => undefined });

const member = (of: object, name: PropertyKey): unknown => {
  const value: unknown = Reflect.get(of, name);
  return typeof value === 'function' ? value.bind(of) : value;
};

const mortalClient = (client: PoolClient): PoolClient =>
  new Proxy(client, {
    get: (of, name) =>
      name === 'query'
        ? async (...args: Parameters<PoolClient['query']>) => {
            const isCommit = String(args[0]) === 'commit';
            reach(isCommit ? 'before-commit' : 'statement');
            const result: unknown = await of.query(...args);
            if (isCommit) reach('after-commit');
            return result;
          }
        : member(of, name),
  });

/** The same pool, whose transactions may be cut off at each of their statements. */
const mortal: Pool = new Proxy(pool, {
  get: (of, name) => (name === 'connect' ? async () => mortalClient(await of.connect()) : member(of, name)),
});

const { jobs } = taskModule({
  pool: mortal,
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
