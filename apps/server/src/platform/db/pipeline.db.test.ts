import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type Database, Pipeline } from './index.ts';

let database: Database;
let pipeline: Pipeline;
const lost: Error[] = [];

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('create table piped (id integer primary key)');
  pipeline = new Pipeline(database.pool, (error) => lost.push(error));
});
beforeEach(() => database.pool.query('delete from piped'));
afterAll(async () => {
  await pipeline.end();
  await database.close();
});

const stored = async () =>
  (await database.pool.query<{ id: number }>('select id from piped order by id')).rows.map(({ id }) => id);
const insert = (tx: pg.PoolClient, id: number) => tx.query('insert into piped values ($1)', [id]);

const untilCommitting = () => {
  let committing: () => void = () => undefined;
  const mayBegin = new Promise<void>((resolve) => {
    committing = resolve;
  });
  return { committing, mayBegin };
};

it('commits statements that were sent without waiting for earlier results', async () => {
  const counted = await pipeline.transaction(async (tx, last) => {
    const [, { rows }] = await Promise.all([
      insert(tx, 1),
      tx.query<{ count: number }>('select count(*)::int as count from piped'),
    ]);
    last(insert(tx, 2));
    return rows[0]?.count;
  });
  expect(counted).toBe(1);
  expect(await stored()).toEqual([1, 2]);
});

it.each<[string, (tx: pg.PoolClient, last: (sent: Promise<unknown>) => void) => Promise<unknown>]>([
  ['one of the first statements', (tx) => Promise.all([insert(tx, 1), insert(tx, 1), insert(tx, 2)])],
  [
    'one of the last, which nothing waits for',
    async (tx, last) => {
      await insert(tx, 1);
      last(insert(tx, 1));
    },
  ],
])('rolls back when %s fails, and runs the next', async (_, work) => {
  await expect(pipeline.transaction(work)).rejects.toMatchObject({ code: '23505' });
  expect(await stored()).toEqual([]);
  await pipeline.transaction((tx) => insert(tx, 3));
  expect(await stored()).toEqual([3]);
});

it('rolls back when a statement fails whose error was ignored', async () => {
  const unasked = pipeline.transaction(async (tx) => {
    await insert(tx, 1);
    await insert(tx, 1).catch(() => undefined);
  });
  await expect(unasked).rejects.toThrow('ROLLBACK');
  expect(await stored()).toEqual([]);
});

it('begins the next transaction while the previous one commits', async () => {
  const order: string[] = [];
  const { committing, mayBegin } = untilCommitting();
  const first = pipeline
    .transaction(async (tx, last) => last(insert(tx, 1)), committing)
    .then(() => order.push('first'));
  await mayBegin;
  expect(order).toEqual([]);
  const second = await pipeline.transaction(async (tx) => (await tx.query('select id from piped')).rows);
  await first;
  expect(second).toEqual([{ id: 1 }]);
  expect(await stored()).toEqual([1]);
});

it('commits the next transaction when the previous commit fails', async () => {
  await pipeline.transaction((tx) => insert(tx, 1));
  const { committing, mayBegin } = untilCommitting();
  const first = pipeline.transaction(async (tx, last) => {
    await insert(tx, 2);
    last(insert(tx, 1));
  }, committing);
  const refused = expect(first).rejects.toMatchObject({ code: '23505' });
  await mayBegin;
  await pipeline.transaction(async (tx) => {
    await insert(tx, 3);
    await refused;
    await insert(tx, 4);
  });
  expect(await stored()).toEqual([1, 3, 4]);
  await pipeline.transaction((tx) => insert(tx, 5));
  expect(await stored()).toEqual([1, 3, 4, 5]);
});

it('fails transactions on a lost connection, and reconnects for the next', async () => {
  const { committing, mayBegin } = untilCommitting();
  const first = pipeline.transaction(async (tx, last) => {
    await insert(tx, 1);
    last(tx.query('select pg_sleep(30)'));
  }, committing);
  const second = mayBegin.then(() => pipeline.transaction((tx) => insert(tx, 2)));
  const both = [expect(first).rejects.toThrow(), expect(second).rejects.toThrow()];
  await mayBegin;
  await expect
    .poll(
      async () =>
        (
          await database.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`,
          )
        ).rowCount,
    )
    .toBe(1);
  await Promise.all(both);
  expect(lost.length).toBeGreaterThan(0);
  await pipeline.transaction((tx) => insert(tx, 3));
  expect(await stored()).toEqual([3]);
});
