import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory } from '../../../testing/radius.ts';
import { findDueAfter } from './sessions.views.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('the sweep covers all SIMs with a session, page by page', async () => {
  const { pool } = database;
  const { ids } = await radiusInventory(database, 3);
  await pool.query(
    `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id,
       started_at, updated_at, up_bytes, down_bytes)
     select sim_id, 1, org_id, 1, 'pgw-1', '127.0.0.1', 'S', now(), now(), 0, 0 from sim_live`,
  );
  await pool.query('update sims set lifecycle = 30 where id <> $1', [ids[1]]);
  const found: number[] = [];
  for (let simId: number | undefined = 0; simId !== undefined; ) {
    const page = await findDueAfter(pool, { simId, sims: 2, now: new Date('2026-11-21T12:00:00Z') });
    found.push(...page.due.map(({ session }) => session.simId));
    simId = page.last;
  }
  expect(found).toEqual([ids[0], ids[2]]);
});
