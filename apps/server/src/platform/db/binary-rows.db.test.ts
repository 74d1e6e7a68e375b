import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { readBinary } from './binary-rows.ts';
import type { Database } from './pool.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe('binary rows', () => {
  it('return every type exactly, and nulls', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, place) => (place * 7) % 256));
    const at = new Date('1969-12-31T23:59:59.500Z');
    const text = `it's "two" \\ lines\n`;
    const query = sql`
      select n, ${text}::text || n, ${`\\x${bytes.toString('hex')}`}::bytea, ${at}::timestamptz, n = 2, n::bigint * 4000000000,
        case when n = 2 then ''::bytea end from generate_series(1, 2) as n`;
    const rows = await readBinary(database.db, query, (row) => [
      ...[row.integer(), row.text(), row.bytes()?.equals(bytes), row.time()],
      ...[row.flag(), row.integer(), row.bytes()?.length],
    ]);
    expect(rows).toEqual([
      [1, `${text}1`, true, at, false, 4_000_000_000, undefined],
      [2, `${text}2`, true, at, true, 8_000_000_000, 0],
    ]);
    const refused = readBinary(database.db, sql`select 9223372036854775807`, (row) => row.integer());
    await expect(refused).rejects.toThrow('exceeds 2^53');
    await expect(readBinary(database.db, sql`select 1/0`, (row) => row.integer())).rejects.toThrow('zero');
    expect(await readBinary(database.db, sql`select 1 where false`, (row) => row.integer())).toEqual([]);
  });
});
