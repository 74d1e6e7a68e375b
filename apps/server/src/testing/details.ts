import { recordSimEvents, simEvent } from '../modules/sim/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient } from './app.ts';
import { makeSim } from './inventory.ts';

export interface DetailedSim {
  id: number;
  orgId: number;
  iccid: string;
  admin: TestClient;
  parentAdmin: TestClient;
  foreign: { iccid: string };
  orders: { basic: number; before: number; next: number; extra: number };
}

/**
 * A SIM with everything that its pages show: orders, cycles, usage in two countries, events, sessions and a
 * location.
 */
export const makeDetailedSim = async (test: TestApp): Promise<DetailedSim> => {
  const { pool } = test.database;
  const parent = await makeOrganisation(test, { code: 'parent' });
  const org = await makeOrganisation(test, { code: 'acme', parentCode: 'parent' });
  const other = await makeOrganisation(test, { code: 'other' });
  const admin = await signedInAs(test, 'admin', org);
  const parentAdmin = await signedInAs(test, 'admin', parent);
  await pool.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values (262002, '262', '02', 'Vodafone', 'DE'),
       (208001, '208', '01', 'Orange', 'FR') on conflict (plmn) do nothing`,
  );
  const { rows: bundles } = await pool.query<{ id: number }>(
    `insert into bundles (code, name, sku, type, quota_bytes, overage_policy, out_of_coverage_policy, reset_cycle,
       slow_kbps, coverage_countries)
     values ('EU1', 'Europe 1', 'SKU-1', 'prepaid basic', 1000, 'billing and slow down', 'shut down', 'month', 256, '{DE}'),
       ('OLD', '=Old', 'SKU-0', 'prepaid basic', 500, 'stop', 'not applicable', 'month', null, '{}'),
       ('EXTRA', 'More', 'SKU-2', 'prepaid supplementary', 600, 'stop', 'not applicable', 'month', null, '{}')
     returning id`,
  );
  const [europe = 0, old = 0, extra = 0] = bundles.map(({ id }) => id);
  const sim = await makeSim(pool, org.id, {
    iccid: '8986012300000000011',
    deviceName: '=cmd()',
    bundleId: europe,
    activatedAt: '2026-10-01T00:00:00Z',
    usedBytes: 1300,
    limitBytes: 1600,
    plmn: 262002,
    connection: 'online',
    lastSeenAt: '2026-11-21T11:59:00Z',
  });
  await pool.query(
    `update sims set chip_grade = 'industrial', technology = 'one IMSI', delivery_note_number = 'DN-7',
       shipment_on = '2026-02-03' where id = $1`,
    [sim.id],
  );
  await pool.query(
    `update sim_live set cycle_started_at = '2026-10-31T16:00:00Z', cycle_ends_at = '2026-11-30T16:00:00Z',
       extra_bytes = 600 where sim_id = $1`,
    [sim.id],
  );
  const { rows: orders } = await pool.query<{ id: number }>(
    `insert into bundle_orders (sim_id, org_id, bundle_id, status, sales_order_id, ordered_at, activated_at, expires_at)
     values ($1, $2, $4, 'expired', 'SO-0', '2026-08-01', '2026-08-05', '2026-10-01'),
       ($1, $2, $3, 'in use', 'SO-1', '2026-09-01', '2026-10-01', '2026-12-31'),
       ($1, $2, $3, 'pending', 'SO-2', '2026-11-01', null, null),
       ($1, $2, $5, 'in use', 'SO-3', '2026-11-02', '2026-11-02', null)
     returning id`,
    [sim.id, org.id, europe, old, extra],
  );
  const [before = 0, basic = 0, next = 0, added = 0] = orders.map(({ id }) => id);
  await pool.query(
    `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
     values ($1, '2026-08-05', '2026-08-31T16:00:00Z', 100, 500), ($1, '2026-08-31T16:00:00Z', '2026-10-01', 50, 500),
       ($1, '2026-10-01', '2026-10-31T16:00:00Z', 700, 1000)`,
    [sim.id],
  );
  await pool.query(
    `insert into usage_daily (sim_id, day_on, plmn, radio, up_bytes, down_bytes, records)
     values ($1, '2026-10-31', 262002, 3, 40, 60, 1), ($1, '2026-11-02', 262002, 3, 100, 700, 1),
       ($1, '2026-11-20', 208001, 3, 100, 380, 1), ($1, '2026-11-20', 999077, 3, 5, 5, 1)`,
    [sim.id],
  );
  // The cycle began at 16:00 UTC: it includes only the later hours of that day.
  await pool.query(
    `insert into usage_hourly (sim_id, hour_at, plmn, radio, up_bytes, down_bytes, records)
     values ($1, '2026-10-31T15:00:00Z', 262002, 3, 30, 60, 1), ($1, '2026-10-31T16:00:00Z', 262002, 3, 10, 0, 1),
       ($1, '2026-11-02T10:00:00Z', 262002, 3, 100, 700, 1)`,
    [sim.id],
  );
  const own = (at: string) => ({ simId: sim.id, orgId: org.id, at: new Date(at) });
  await recordSimEvents(pool, [
    {
      ...own('2026-09-01T10:00:00Z'),
      ...simEvent('quota-reached', { used_bytes: 500, limit_bytes: 500, policy: 'billing and slow down' }),
    },
    {
      ...own('2026-11-02T10:00:00Z'),
      ...simEvent('session-stopped', { session: 'S-0', cause: null, bytes: 0 }),
    },
    { ...own('2026-11-02T10:00:01Z'), ...simEvent('imei-changed', { from: '1', to: '2' }) },
    { ...own('2026-11-02T10:00:01Z'), ...simEvent('bundle-started', { bundle: '=More' }) },
  ]);
  const activation = { from: 'pre-activated', to: 'active', reason: 'activation' } as const;
  await recordSimEvents(
    pool,
    [{ ...own('2026-10-01T10:00:00Z'), ...simEvent('lifecycle-changed', activation) }],
    { actor: 'Ada', taskId: 'T-1', traceId: 'trace-1' },
  );
  await pool.query(
    `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id,
       started_at, updated_at, stopped_at, terminate_cause, up_bytes, down_bytes, ip, apn, plmn, radio, imei, cell)
     values ($1, 1, $2, 0, 'gw', '10.9.9.9', 'S-1', '2026-11-01T10:00:00Z', '2026-11-01T11:00:00Z', '2026-11-01T11:00:00Z',
         'User-Request', 1, 2, '10.0.0.1', 'iot', 208001, 3, '490154203237518', '208-01-1-1'),
       ($1, 2, $2, 0, 'gw', '10.9.9.9', 'S-2', '2026-11-21T10:00:00Z', '2026-11-21T11:59:00Z', null, null, 3, 4,
         '10.0.0.2', 'iot', 262002, 3, '490154203237518', '262-02-7-9'),
       ($1, 3, $2, 0, 'gw', '10.9.9.9', 'S-0', '2026-10-20T10:00:00Z', '2026-10-20T11:59:00Z', '2026-10-20T11:59:00Z',
         null, 3, 4, null, null, null, null, null, null)`,
    [sim.id, org.id],
  );
  await pool.query(`insert into cells (cell, latitude, longitude) values ('262-02-7-9', 52.5, 13.4)`);
  const foreign = await makeSim(pool, other.id);
  return {
    ...sim,
    orgId: org.id,
    admin,
    parentAdmin,
    foreign,
    orders: { basic, before, next, extra: added },
  };
};
