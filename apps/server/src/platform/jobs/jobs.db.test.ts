import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../../testing/database.ts';
import { beginOutage } from '../../testing/outage.ts';
import { runProgram } from '../../testing/run-program.ts';
import { type Database, inTransaction } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { sweepMs } from './dead-workers.ts';
import { defineJob, enqueue, handlerOf, startWorker } from './index.ts';

let database: Database;
const job = defineJob({
  name: 'test.count-once',
  payload: z.object({ n: z.number() }),
  maxAttempts: 5,
  timeoutMs: 20_000,
});

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('create table started (n integer not null)');
  await database.pool.query('create table finished (n integer not null)');
});
afterAll(() => database.close());

const queued = async (): Promise<number> =>
  (await database.pool.query<{ count: number }>('select count(*) from graphile_worker.jobs')).rows[0]
    ?.count ?? 0;

test('a job of a rolled back transaction is never queued', async () => {
  const undone = inTransaction(database.pool, async (tx) => {
    await enqueue(tx, job, { n: 0 });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await queued()).toBe(0);
});

test('a payload that violates its schema is rejected before queueing', async () => {
  await expect(enqueue(database.pool, job, { n: 'one' } as never)).rejects.toThrow();
  expect(await queued()).toBe(0);
});

test('jobs with the same key are queued once', async () => {
  await enqueue(database.pool, job, { n: 1 }, { key: 'same', runAt: new Date('2099-01-01') });
  await enqueue(database.pool, job, { n: 2 }, { key: 'same', runAt: new Date('2099-01-01') });
  expect(await queued()).toBe(1);
  await database.pool.query('select graphile_worker.remove_job($1)', ['same']);
});

test('a job whose worker is killed is completed once by another worker', async () => {
  await enqueue(database.pool, job, { n: 7 });
  expect(await runProgram('jobs-steps', [database.url, 'die'])).toBe('SIGKILL');
  expect((await database.pool.query('select n from finished')).rows).toEqual([]);
  // graphile-worker waits exp(attempts) seconds before the next try; no need to sit through that here.
  const freed = runProgram('jobs-steps', [database.url, 'work']);
  await database.pool.query(`update graphile_worker._private_jobs set run_at = now()`);
  expect(await freed).toBe(0);
  expect((await database.pool.query('select n from started')).rows).toEqual([{ n: 7 }, { n: 7 }]);
  expect((await database.pool.query('select n from finished')).rows).toEqual([{ n: 7 }]);
  expect(await queued()).toBe(0);
});

test('a job longer than the dead-worker sweep runs once', async () => {
  let started = 0;
  let isDone = false;
  const slow = defineJob({ ...job, name: 'test.take-time', payload: z.object({}) });
  const takeTime = handlerOf(slow, async () => {
    started += 1;
    await sleep(sweepMs * 2);
    isDone = true;
  });
  const worker = await startWorker({
    pool: database.pool,
    handlers: [takeTime],
    concurrency: 3,
    log: createLog({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
  });
  await enqueue(database.pool, slow, {});
  await expect.poll(() => isDone, { timeout: 30_000 }).toBe(true);
  await worker.stop();
  expect(started).toBe(1);
  expect(await queued()).toBe(0);
});

test('a job that a stop interrupts says so, and keeps its last attempt', async () => {
  const endless = defineJob({ ...job, name: 'test.outlast-the-process', payload: z.object({}) });
  const started = new EventEmitter();
  const start = once(started, 'job');
  const worker = await startWorker({
    pool: database.pool,
    handlers: [
      handlerOf(endless, async (_, { signal }) => {
        started.emit('job');
        await once(signal, 'abort');
        await new Promise(() => undefined);
      }),
    ],
    concurrency: 1,
    log: createLog({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
  });
  await enqueue(database.pool, endless, {}, { key: 'endless' });
  await database.pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts - 1 where key = 'endless'`,
  );
  await start;
  await worker.stop();
  const { rows } = await database.pool.query(
    `delete from graphile_worker._private_jobs where key = 'endless'
     returning last_error, max_attempts - attempts as attempts_left`,
  );
  expect(rows).toEqual([{ last_error: 'The process was stopped', attempts_left: 1 }]);
});

test.each(['read-only', 'refusing'] as const)(
  'a job that ends while the database is %s runs once, and the next ones run after recovery',
  async (kind) => {
    const started: number[] = [];
    const gate = new EventEmitter();
    const patient = defineJob({ ...job, name: `test.outlast-${kind}` });
    const outlast = handlerOf(patient, async ({ n }) => {
      started.push(n);
      if (n === 1) await once(gate, 'open');
    });
    const worker = await startWorker({
      pool: database.pool,
      handlers: [outlast],
      concurrency: 2,
      log: createLog({ level: 'silent', format: 'json' }),
      metrics: createMetrics(),
    });
    await enqueue(database.pool, patient, { n: 1 });
    await expect.poll(() => started, { timeout: 30_000 }).toEqual([1]);
    const over = await beginOutage(database.url, kind);
    gate.emit('open');
    // The worker notices the outage only when this job ends.
    await expect(enqueue(database.pool, patient, { n: 2 })).rejects.toThrow();
    await over();
    await enqueue(database.pool, patient, { n: 3 });
    await expect.poll(queued, { timeout: 30_000 }).toBe(0);
    await worker.stop();
    expect(started).toEqual([1, 3]);
  },
);
