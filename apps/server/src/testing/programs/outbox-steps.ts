import type { PoolClient } from 'pg';
import { z } from 'zod';
import { connect, inTransaction } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import {
  consumeOnce,
  defineBatchConsumer,
  defineConsumer,
  defineEvent,
  emit,
} from '../../platform/outbox/index.ts';

/**
 * A process for tests of the outbox: `node … <url> <step> <n>`. It records or handles facts and ends itself by
 * SIGKILL when it reaches the step for the n-th time.
 */
const [url = '', step = '', count = '1'] = process.argv.slice(2);
let left = Number(count);
const failing = 23;

const reach = (name: string): void => {
  if (name !== step.replace('batch-', '')) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};

const counted = defineEvent({ topic: 'test.counted', payload: z.object({ n: z.number() }) });

const digest = async (tx: PoolClient, n: number): Promise<void> => {
  reach('before-effect');
  await tx.query('insert into effects (n) values ($1)', [n]);
  reach('after-effect');
};

const one = defineConsumer({
  name: 'test.count',
  events: [counted],
  handle: (tx, fact) => digest(tx, fact.payload.n),
});
/** Handles some at a time, and no batch that contains a failing fact. */
const some = defineBatchConsumer({
  name: 'test.count',
  events: [counted],
  async handleAll(tx, facts) {
    const taken = facts.slice(0, 7).map(({ payload }) => counted.payload.parse(payload).n);
    if (taken.length > 1 && taken.includes(failing)) throw new Error('not together');
    for (const n of taken) await digest(tx, n);
    return taken.length;
  },
});
const consumer = step.startsWith('batch') ? some : one;

const { pool, close } = connect({ url, max: 2, name: 'outbox steps', onError: () => undefined });
const report = { log: createLog({ level: 'silent', format: 'json' }), metrics: createMetrics() };

if (step.startsWith('emit')) {
  for (let n = 0; n < 50; n += 1) {
    await inTransaction(pool, async (tx) => {
      await tx.query('insert into truths (n) values ($1) on conflict do nothing', [n]);
      reach('emit-before-fact');
      await emit(tx, counted, { orgId: null, payload: { n } });
      reach('emit-before-commit');
    });
    reach('emit-after-commit');
  }
} else {
  await pool.query(
    `insert into outbox_cursors (consumer, xact, id) values ($1, '0', 0) on conflict do nothing`,
    [consumer.name],
  );
  while ((await consumeOnce(pool, consumer, report)).handled > 0) reach('after-commit');
}
await close();
