import type { Sql } from './pool.ts';

/** Where the rows of a table distributed over a Citus cluster are, by the value of the distribution column. */
export interface Shards {
  /** Every node that has a shard, in order. */
  nodes: readonly number[];
  /** The shard with the rows of this value. */
  shardOf: (value: number) => number;
  /** The node that has the shard. */
  nodeOf: (shard: number) => number;
  /** Its host and port; undefined for any other node. */
  addressOf: (node: number) => string | undefined;
}

/** @returns undefined if the table is not distributed */
export const readShards = async (sql: Sql, table: string): Promise<Shards | undefined> => {
  const { rows: known } = await sql.query<{ cluster: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as cluster`,
  );
  if (known[0]?.cluster !== true) return undefined;
  const { rows } = await sql.query<{ first: number; node: number; address: string }>(
    `select s.shardminvalue::int as first, p.groupid as node, n.nodename || ':' || n.nodeport as address
     from pg_dist_shard s join pg_dist_placement p using (shardid)
     join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
     where s.logicalrelid = $1::regclass and s.shardminvalue is not null order by first`,
    [table],
  );
  if (rows.length === 0) return undefined;
  const addresses = new Map(rows.map(({ node, address }) => [node, address]));
  const lowerBounds = Int32Array.from(rows, ({ first }) => first);
  return {
    nodes: [...new Set(rows.map(({ node }) => node))].sort((a, b) => a - b),
    shardOf: (value) => shardIndexOf(lowerBounds, hashOfBigint(value)),
    nodeOf: (shard) => rows[shard]?.node ?? 0,
    addressOf: (node) => addresses.get(node),
  };
};

/** The last shard that begins at or before the hash: shards cover all hashes without gaps. */
const shardIndexOf = (lowerBounds: Int32Array, hash: number): number => {
  let low = 0;
  let high = lowerBounds.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lowerBounds[middle] as number) <= hash) low = middle;
    else high = middle - 1;
  }
  return low;
};

/**
 * PostgreSQL's hash of a bigint that is a safe integer (`hashint8`): both halves are folded, so that an integer
 * has the same hash.
 */
export const hashOfBigint = (value: number): number => {
  const low = value >>> 0;
  const high = Math.floor(value / 4_294_967_296) >>> 0;
  return hashOfWord(low ^ (value >= 0 ? high : ~high));
};

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** The last round of Bob Jenkins's lookup3 hash on one word, seeded as PostgreSQL does (`hash_uint32`). */
const hashOfWord = (word: number): number => {
  const seed = (0x9e3779b9 + 4 + 3_923_095) | 0;
  let a = (seed + word) | 0;
  let b = seed;
  let c = seed;
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  c = ((c ^ b) - rotated(b, 24)) | 0;
  return c;
};
