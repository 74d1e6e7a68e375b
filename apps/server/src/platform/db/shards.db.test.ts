import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import type { Database } from './pool.ts';
import { hashOfBigint, readShards } from './shards.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase({ max: 1 });
});
afterAll(() => database.close());

const anyIds = fc.sample(fc.maxSafeInteger(), { numRuns: 500, seed: 7 });
const ids = [0, 1, -1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32), Number.MAX_SAFE_INTEGER, ...anyIds];

describe('the hash of a bigint', () => {
  it('equals PostgreSQL’s', async () => {
    const { rows } = await database.pool.query<{ hash: number }>(
      'select hashint8(id) as hash from unnest($1::bigint[]) with ordinality as v (id, place) order by place',
      [ids],
    );
    expect(ids.map(hashOfBigint)).toEqual(rows.map(({ hash }) => hash));
  });
});

describe('the shards of a table', () => {
  it('are those of the cluster, or undefined on one server', async () => {
    const shards = await readShards(database.pool, 'written_histories');
    if (inject('databaseServers').length === 1) {
      expect(shards).toBeUndefined();
      return;
    }
    const { rows } = await database.pool.query<{ node: number }>(
      `select p.groupid as node from unnest($1::bigint[]) with ordinality as v (id, place)
       join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('written_histories', v.id) order by place`,
      [ids],
    );
    expect(ids.map((id) => shards?.nodeOf(shards.shardOf(id)))).toEqual(rows.map(({ node }) => node));
    expect(shards?.nodes).toHaveLength(inject('databaseServers').length - 1);
  });
});
