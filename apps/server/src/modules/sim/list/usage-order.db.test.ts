import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { insertTestOrganisation } from '../../../testing/organisations.ts';
import { connectionNumbers } from '../sim.rules.ts';

const { online, offline } = connectionNumbers;
const mebibyte = 2 ** 20;
let database: Database;
let orgId: number;

beforeAll(async () => {
  database = await testDatabase();
  orgId = (await insertTestOrganisation(database.pool)).id;
  await database.pool.query(
    `with sim as (insert into sims (org_id, iccid, imsi, lifecycle)
       values ($1, '8986001000000000001', '262010000000001', 23) returning id)
     insert into sim_live (sim_id, org_id, connection) select id, $1, 0 from sim`,
    [orgId],
  );
});
afterAll(() => database.close());

/** Whether changing the bytes updates no index (a heap-only tuple), which is what makes accounting cheap. */
const isHeapOnly = async (connection: number, from: number, to: number): Promise<boolean> => {
  const { pool } = database;
  await pool.query('update sim_live set connection = $1, used_bytes = $2', [connection, from]);
  // A page with space for the new version next to the old.
  await pool.query('vacuum sim_live');
  const client = await pool.connect();
  const counted = async () => {
    const { rows } = await client.query<{ updates: number }>(
      `select pg_stat_get_xact_tuples_hot_updated('sim_live'::regclass)::integer as updates`,
    );
    return rows[0]?.updates ?? Number.NaN;
  };
  try {
    await client.query('begin');
    const before = await counted();
    await client.query('update sim_live set used_bytes = $1, last_seen_at = now()', [to]);
    return (await counted()) === before + 1;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

it.each([
  ['within the first step', online, 0, mebibyte / 4 - 1, true],
  ['within an eighth of an octave', online, 16 * mebibyte, 18 * mebibyte - 1, true],
  ['into the next step', online, 18 * mebibyte - 1, 18 * mebibyte, false],
  ['of a SIM without a session', offline, 16 * mebibyte, 16 * mebibyte + 1, false],
])(
  'a record of usage %s writes to indexes only when it has to',
  async (_, connection, from, to, expected) => {
    expect(await isHeapOnly(connection, from, to)).toBe(expected);
  },
);

it.each([
  [0, 262_143],
  [2 ** 53 - 1, 2 ** 53],
  [2 ** 62, 2 ** 63 - 513],
])('a step never falls as bytes grow (%d to %d)', async (from, to) => {
  const { rows } = await database.pool.query<{ steps: number[] }>(
    'select array[usage_step($1::bigint), usage_step($2::bigint)] as steps',
    [BigInt(from), BigInt(to)],
  );
  const [before = 0, after = 0] = rows[0]?.steps ?? [];
  expect(after).toBeGreaterThanOrEqual(before);
});
