import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, radiusKey } from '../../../testing/radius.ts';
import { createControl } from './control.service.ts';
import { findDue, findDueAfter } from './sessions.views.ts';

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

it.each([
  [228001, [{ action: 'disconnect', reason: 'outside-coverage' }]],
  [262002, []],
  [null, []],
])(
  'a session in network %s is judged by that network, not by the one that the SIM was in before',
  async (plmn, due) => {
    const { pool } = database;
    const { ids } = await radiusInventory(database, 1);
    await pool.query(
      `insert into networks (plmn, mcc, mnc, operator, country)
     values (262002, '262', '02', 'Vodafone', 'DE'), (228001, '228', '01', 'Swisscom', 'CH') on conflict (plmn) do nothing`,
    );
    const bundle = await pool.query<{ id: number }>(
      `insert into bundles (code, name, sku, type, overage_policy, out_of_coverage_policy, reset_cycle, coverage_countries)
     values ($1, 'Germany', 'DE', 'postpaid flow', 'billing', 'shut down', 'month', '{DE}') returning id`,
      [`DE-${plmn}`],
    );
    await pool.query('update sims set bundle_id = $2 where id = any($1)', [ids, bundle.rows[0]?.id]);
    await pool.query('update sim_live set plmn = 228001 where sim_id = any($1)', [ids]);
    await pool.query(
      `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id,
       started_at, updated_at, up_bytes, down_bytes, plmn)
     select sim_id, 1, org_id, 1, 'pgw-1', '127.0.0.1', 'S', now(), now(), 0, 0, $2 from sim_live where sim_id = any($1)`,
      [ids, plmn],
    );
    const found = await findDue(pool, ids, new Date('2026-11-21T12:00:00Z'));
    expect(found.map(({ enforcement }) => enforcement)).toEqual(due);
  },
);

it('an order ends only sessions that their gateway may still have, and does not retry closed ones of unknown gateways', async () => {
  const { pool } = database;
  const { ids } = await radiusInventory(database, 1);
  const [simId = 0] = ids;
  // The gateway of the sessions is no longer known.
  await pool.query(
    `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id,
       started_at, updated_at, up_bytes, down_bytes, stopped_at, terminate_cause)
     select l.sim_id, s.key, l.org_id, -1, 'gone', '127.0.0.1', s.id, now(), now(), 0, 0, s.stopped_at, s.cause
     from sim_live l cross join (values
       (1, 'open', null, null), (2, 'reset', now(), 'Admin-Reset'), (3, 'silent', now(), 'Silence'),
       (4, 'ended', now(), 'User-Request'), (5, 'ended without a cause', now(), null), (6, 'not known', now(), 'Lost-Service')
     ) as s (key, id, stopped_at, cause) where l.sim_id = $1`,
    [simId],
  );
  const control = createControl({
    pool,
    vault: vaultOf(radiusKey),
    clock: new FixedClock('2026-11-21T12:00:00Z'),
  });
  const order = { simId, reason: 'reset', sessionKeys: [1, 2, 3, 4, 5, 6] } as const;
  const outcomes = await control.execute(
    { ...order, sessionKeys: [...order.sessionKeys] },
    { includeFailures: false },
  );
  expect(Object.fromEntries(outcomes.map(({ sessionId, isDone }) => [sessionId, isDone]))).toEqual({
    open: false,
    reset: true,
    silent: true,
  });
});
