import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, inTransaction, typed } from '../../platform/db/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { watchStatements } from '../../testing/house/unserved-statements.ts';
import { makePool } from '../../testing/pools.ts';
import { radiusInventory } from '../../testing/radius.ts';
import { eventList } from './event.views.ts';

const now = new Date('2026-11-21T12:00:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase({ max: 4 });
});
afterAll(() => database.close());

interface Plan {
  'Node Type': string;
  Plans?: Plan[];
}
const nodesOf = (plan: Plan): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodesOf)];

it('the latest events of a pool are read in their order, without sorting all others', async () => {
  const { pool } = database;
  const sims = await radiusInventory(database, 1);
  const shared = await makePool(pool, sims.orgId, { now });
  await pool.query(
    `insert into pool_events (pool_id, at, kind, limit_before_bytes, limit_after_bytes, used_bytes, sims, facts)
     select $1, $2::timestamptz - make_interval(mins => n), 'SIM exit', 0, 0, 0, 1, '{}' from generate_series(1, 20000) as n`,
    [shared.id, now],
  );
  await pool.query('analyze pool_events');
  const watched = watchStatements();
  const { data } = await readPage(typed(pool), eventList, {
    scope: { orgId: sims.orgId },
    now,
    ...pageQueryOf({ page_no: 1, page_size: 50, poolId: String(shared.id) }),
  }).finally(watched.stop);
  expect(data).toHaveLength(50);
  const pages = [...watched.statements].filter(([text]) => /order by/.test(text) && /pool_events/.test(text));
  expect(pages).not.toEqual([]);
  await inTransaction(pool, async (tx) => {
    for (const [text, values] of pages) {
      const { rows } = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${text}`, [
        ...values,
      ]);
      const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap((one) => nodesOf(one.Plan)));
      expect(nodes).not.toContain('Sort');
    }
  });
});
