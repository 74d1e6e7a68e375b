import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type Database, ensureDayPartition, ensurePartitions } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const eight = Array.from({ length: 8 });

it('concurrent processes create a day partition once', async () => {
  for (const day of ['2031-03-01', '2031-03-02', '2031-03-03'])
    await Promise.all(eight.map(() => ensureDayPartition(database.pool, 'api_calls', new Date(day))));
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relname like 'api_calls_2031%' and relkind = 'r' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'api_calls_2031_03_01',
    'api_calls_2031_03_02',
    'api_calls_2031_03_03',
  ]);
});

it('concurrent processes create month partitions once', async () => {
  const [from, to] = [new Date('2031-04-01'), new Date('2031-05-31')];
  await Promise.all(eight.map(() => ensurePartitions(database.pool, from, to)));
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int from pg_class where relname ~ '_2031_0[45]$' and relkind = 'r'`,
  );
  expect(rows[0]?.count).toBe(12);
});
