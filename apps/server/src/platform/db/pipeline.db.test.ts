import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type Database, inPipeline, pipelining } from './index.ts';

let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query('create table piped (id integer primary key)');
  pool = pipelining(database.pool);
});
beforeEach(() => database.pool.query('delete from piped'));
afterAll(async () => {
  await pool.end();
  await database.close();
});

const stored = async () =>
  (await database.pool.query<{ id: number }>('select id from piped order by id')).rows.map(({ id }) => id);
const insert = (tx: pg.PoolClient, id: number) => tx.query('insert into piped values ($1)', [id]);

it('commits what was sent without waiting for the answers before', async () => {
  const counted = await inPipeline(pool, async (tx, last) => {
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
])('stores nothing when %s fails, and goes on with the next', async (_, work) => {
  await expect(inPipeline(pool, work)).rejects.toMatchObject({ code: '23505' });
  expect(await stored()).toEqual([]);
  await inPipeline(pool, (tx) => insert(tx, 3));
  expect(await stored()).toEqual([3]);
});

it('stores nothing when a statement failed that nobody asked about', async () => {
  const unasked = inPipeline(pool, async (tx) => {
    await insert(tx, 1);
    await insert(tx, 1).catch(() => undefined);
  });
  await expect(unasked).rejects.toThrow('ROLLBACK');
  expect(await stored()).toEqual([]);
});
