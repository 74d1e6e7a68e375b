import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { type Database, inlineParameters } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('a statement with inlined parameters returns the same as with bound ones', async () => {
  const texts = [`it's`, 'a "quote", and a \\ backslash', '$1', '', 'null', '{}'];
  const query = sql<Record<string, unknown>>`
    select ${-5}::bigint - ${7}::bigint as number, ${texts}::text[] as texts, ${`'); drop`}::text as text, ${null}::text as nothing,
      ${new Date('2026-11-21T12:00:00.123Z')}::timestamptz as at, ${[new Date(0)]}::timestamptz[] as times,
      ${[1, null]}::bigint[] @> ${[1]}::bigint[] as held, ${true}::boolean as truth`;
  const beside = (await query.execute(database.db)).rows;
  expect((await database.pool.query(inlineParameters(query.compile(database.db)))).rows).toEqual(beside);
});
