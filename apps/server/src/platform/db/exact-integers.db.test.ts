import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import type { Database } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const largest = Number.MAX_SAFE_INTEGER;
const read = async (expression: string): Promise<unknown> =>
  (await database.pool.query(`select ${expression} as figure`)).rows[0].figure;

// A sum of bigint is numeric: it must be as exact as its parts.
it.each([
  '9007199254740991::bigint',
  '(select sum(part) from (values (9007199254740000::bigint), (991::bigint)) as v (part))',
  '9007199254740991::numeric',
])('%s is read exactly', async (expression) => {
  expect(await read(expression)).toBe(largest);
  expect(await read(`-1 * ${expression}`)).toBe(-largest);
});

it.each([
  '9007199254740992::bigint',
  '9007199254740993::bigint',
  '(select sum(part) from (values (9007199254740991::bigint), (2::bigint)) as v (part))',
])('%s is rejected instead of rounded', async (expression) => {
  await expect(read(expression)).rejects.toThrow('An integer from the database exceeds 2^53');
});

it('a fractional numeric is read as text', async () => {
  expect(await read('1.50::numeric')).toBe('1.50');
  expect(await read("'NaN'::numeric")).toBe('NaN');
});
