import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../../testing/database.ts';
import { beginOutage } from '../../testing/outage.ts';
import { runProgram } from '../../testing/run-program.ts';
import { type Database, inTransaction } from '../db/index.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { type DeadLettersOptions, watchDeadLetters } from './dead-letters.ts';
import {
  deadLetterExhausted,
  defineJob,
  defineSchedule,
  dropDeadLetters,
  enqueue,
  enqueueMany,
  findDeadLetter,
  handlerOf,
  listDeadLetters,
  retryDeadLetters,
  startWorker,
  trimDeadLetters,
} from './index.ts';
import { readOverdueSeconds } from './queue-status.ts';

let database: Database;
const log = createLog({ level: 'silent', format: 'json' });
const job = defineJob({
  name: 'test.send-order',
  payload: z.object({ n: z.number() }),
  maxAttempts: 3,
  timeoutMs: 20_000,
});
const clockJob = defineSchedule({ ...job, name: 'test.look-round', cron: '* * * * *' });

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('create table noted (n integer not null, error text not null)');
});
afterEach(() =>
  database.pool.query('truncate dead_lettered_jobs, noted, graphile_worker._private_jobs restart identity'),
);
afterAll(() => database.close());

const handler = handlerOf(
  job,
  async () => undefined,
  async (tx, { n }, { error, attempts }) => {
    await tx.query('insert into noted (n, error) values ($1, $2)', [n, `${error} ${attempts}`]);
  },
);
const optionsOf = (handlers = [handler]): DeadLettersOptions => ({
  pool: database.pool,
  handlers,
  log,
  metrics: createMetrics(),
});
const exhaust = (error: string | null = 'no reply') =>
  database.pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = $1 where is_available`,
    [error],
  );
const noted = async () => (await database.pool.query('select n, error from noted order by n')).rows;
const letters = () => listDeadLetters(database.pool, { limit: 100 });
const queued = async () =>
  (
    await database.pool.query(
      `select t.identifier as name, j.key, j.attempts, j.max_attempts as "maxAttempts", j.payload
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`,
    )
  ).rows;

describe('a job without attempts left', () => {
  it('is dead-lettered once, in one transaction with its handler’s changes', async () => {
    await enqueue(database.pool, job, { n: 1 }, { key: 'one' });
    await enqueue(database.pool, job, { n: 2 });
    await exhaust();
    await enqueue(database.pool, job, { n: 3 });
    const options = optionsOf();
    const counts = await Promise.all([deadLetterExhausted(options), deadLetterExhausted(options)]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    expect(await noted()).toEqual([
      { n: 1, error: 'no reply 3' },
      { n: 2, error: 'no reply 3' },
    ]);
    expect(await letters()).toMatchObject([
      { name: job.name, key: 'one', payload: { n: 1 }, attempts: 3, error: 'no reply', times: 1 },
      { name: job.name, key: null, payload: { n: 2 }, attempts: 3, error: 'no reply', times: 1 },
    ]);
    expect(await queued()).toMatchObject([{ payload: { n: 3 } }]);
    const { values } = await options.metrics.jobs.get();
    expect(values).toMatchObject([{ labels: { job: job.name, outcome: 'dead-lettered' }, value: 2 }]);
  });

  it('stays queued while its dead-letter handler fails, and does not block the next', async () => {
    await enqueue(database.pool, job, { n: 1 });
    await enqueue(database.pool, job, { n: 2 });
    await exhaust();
    const failing = handlerOf(
      job,
      async () => undefined,
      async (tx, { n }) => {
        await tx.query('insert into noted (n, error) values ($1, $2)', [n, 'half']);
        if (n === 1) throw new Error('not today');
      },
    );
    expect(await deadLetterExhausted(optionsOf([failing]))).toBe(1);
    expect(await noted()).toEqual([{ n: 2, error: 'half' }]);
    expect(await deadLetterExhausted(optionsOf())).toBe(1);
    expect((await noted()).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('is dead-lettered even if its process was killed in the last attempt', async () => {
    const killed = defineJob({ ...job, name: 'test.count-once' });
    await database.pool.query('create table started (n integer not null)');
    await enqueue(database.pool, { ...killed, maxAttempts: 1 }, { n: 7 });
    expect(await runProgram('jobs-steps', [database.url, 'die'])).toBe('SIGKILL');
    const exhausted = handlerOf(
      killed,
      async () => undefined,
      async (tx, { n }) => {
        await tx.query('insert into noted (n, error) values ($1, $2)', [n, 'found']);
      },
    );
    const worker = await startWorker({ ...optionsOf([exhausted]), concurrency: 1 });
    await expect.poll(noted, { timeout: 30_000 }).toEqual([{ n: 7, error: 'found' }]);
    await worker.stop();
    expect(await letters()).toMatchObject([
      { payload: { n: 7 }, error: 'The process ended while the job ran', attempts: 1 },
    ]);
  });

  it('is not dead-lettered when another job with its key replaced it', async () => {
    await enqueue(database.pool, job, { n: 1 }, { key: 'same' });
    await database.pool.query(
      `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'other'`,
    );
    await enqueue(database.pool, job, { n: 2 }, { key: 'same' });
    await database.pool.query(`update graphile_worker._private_jobs set locked_at = null, locked_by = null`);
    expect(await deadLetterExhausted(optionsOf())).toBe(0);
    expect(await letters()).toEqual([]);
    expect(await queued()).toMatchObject([{ payload: { n: 2 }, key: 'same', attempts: 0 }]);
  });

  it('is dead-lettered even with an invalid payload', async () => {
    await enqueue(database.pool, { ...job, payload: z.object({ old: z.string() }) }, { old: 'x' });
    await exhaust();
    expect(await deadLetterExhausted(optionsOf())).toBe(1);
    expect(await noted()).toEqual([]);
    expect(await letters()).toMatchObject([{ payload: { old: 'x' } }]);
  });
});

describe('dead letters', () => {
  const dead = async (n: number, key: string) => {
    await enqueue(database.pool, job, { n }, { key });
    await exhaust();
    await deadLetterExhausted(optionsOf());
  };

  it('are stored once per key and scheduled job, with a count', async () => {
    await dead(1, 'same');
    await dead(2, 'same');
    for (let round = 0; round < 3; round += 1) {
      await enqueue(database.pool, clockJob, {});
      await exhaust();
      await deadLetterExhausted(optionsOf([handlerOf(clockJob, async () => undefined)]));
    }
    expect(await letters()).toMatchObject([
      { name: job.name, key: 'same', payload: { n: 2 }, times: 2 },
      { name: clockJob.name, key: `cron ${clockJob.name}`, times: 3 },
    ]);
  });

  it('can be retried with their key and all attempts, or dropped', async () => {
    await dead(1, 'one');
    await dead(2, 'two');
    const [one, two] = await letters();
    const ids = [one?.id ?? 0];
    expect(await inTransaction(database.pool, (tx) => retryDeadLetters(tx, ids))).toMatchObject([
      { key: 'one' },
    ]);
    expect(await queued()).toMatchObject([
      { name: job.name, key: 'one', attempts: 0, maxAttempts: 3, payload: { n: 1 } },
    ]);
    expect(await dropDeadLetters(database.pool, [two?.id ?? 0])).toMatchObject([{ key: 'two' }]);
    expect(await letters()).toEqual([]);
    expect(await retryDeadLetters(database.pool, ids)).toEqual([]);
    expect(await findDeadLetter(database.pool, ids[0] ?? 0)).toBeUndefined();
  });

  it('are removed when a job with their key succeeds, and have a metric', async () => {
    await dead(1, 'one');
    await dead(2, 'two');
    const options = optionsOf();
    const watch = watchDeadLetters(options);
    const waiting = async () => (await options.metrics.jobsDeadLettered.get()).values;
    await expect.poll(waiting).toMatchObject([{ labels: { job: job.name }, value: 2 }]);
    await watch.done(handler, null);
    await watch.done(handler, 'one');
    await watch.stop();
    expect((await letters()).map(({ key }) => key)).toEqual(['two']);
  });

  it.each([
    [3, 2],
    [25, 7],
  ])(
    'do not include jobs that failed while a cluster node was unreachable: %d attempts',
    async (maxAttempts, counted) => {
      const patient = { ...job, maxAttempts };
      const waiting = handlerOf(patient, async () => {
        // As the coordinator reports it.
        await database.pool.query(
          `do $$ begin raise 'connection to the remote node failed' using errcode = 'connection_failure'; end $$`,
        );
      });
      await enqueue(database.pool, patient, { n: 1 }, { key: 'one' });
      await database.pool.query('update graphile_worker._private_jobs set attempts = max_attempts - 1');
      const worker = await startWorker({ ...optionsOf([waiting]), concurrency: 1 });
      const failed = async () =>
        (await database.pool.query('select attempts, last_error from graphile_worker._private_jobs')).rows;
      await expect
        .poll(failed)
        .toEqual([
          { attempts: counted, last_error: expect.stringContaining('connection to the remote node failed') },
        ]);
      await worker.stop();
      expect(await letters()).toEqual([]);
    },
  );

  it('are watched together with the age of the oldest overdue job', async () => {
    await enqueue(database.pool, job, { n: 1 }, { key: 'late' });
    const due = (after: string) =>
      database.pool.query('update graphile_worker._private_jobs set run_at = now() + $1::interval', [after]);
    await due('-400 seconds');
    const options = optionsOf();
    const watch = watchDeadLetters(options);
    const seconds = async () => (await options.metrics.jobsWaiting.get()).values[0]?.value;
    await expect.poll(seconds).toBeGreaterThan(399);
    await watch.stop();
    await due('1 hour');
    expect(await readOverdueSeconds(database.pool)).toBe(0);
  });

  it('are not reported while the database can’t be read', async () => {
    await dead(1, 'one');
    const options = optionsOf();
    const watch = watchDeadLetters(options);
    const shown = async () => [
      (await options.metrics.jobsWaiting.get()).values.length,
      (await options.metrics.jobsDeadLettered.get()).values.length,
    ];
    await expect.poll(shown).toEqual([1, 1]);
    const over = await beginOutage(database.url, 'refusing');
    await expect.poll(shown, { timeout: 20_000 }).toEqual([0, 0]);
    await over();
    await expect.poll(shown, { timeout: 20_000 }).toEqual([1, 1]);
    await watch.stop();
  });

  it('prevent queueing with skipExisting', async () => {
    await dead(1, 'key 1');
    await enqueue(database.pool, job, { n: 2 }, { key: 'key 2' });
    const keyOf = ({ n }: { n: number }) => `key ${n}`;
    await enqueueMany(database.pool, job, [{ n: 1 }, { n: 2 }, { n: 3 }], { keyOf, skipExisting: true });
    expect((await queued()).map(({ key }) => key)).toEqual(['key 2', 'key 3']);
    await enqueueMany(database.pool, job, [{ n: 1 }], { keyOf });
    expect((await queued()).map(({ key }) => key)).toEqual(['key 2', 'key 3', 'key 1']);
  });

  it('are deleted after 90 days', async () => {
    await dead(1, 'old');
    await dead(2, 'new');
    await database.pool.query(
      `update dead_lettered_jobs set dead_lettered_at = now() - interval '91 days' where key = 'old'`,
    );
    await trimDeadLetters(database.pool);
    expect((await letters()).map(({ key }) => key)).toEqual(['new']);
  });
});
