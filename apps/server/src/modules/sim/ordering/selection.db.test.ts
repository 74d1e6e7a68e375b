import type { SimFilter } from '@simcube/contract/sim';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '../../../platform/access/index.ts';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, openSnapshot, typedWithin } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { insertTestOrganisation, insertTestPerson } from '../../../testing/organisations.ts';
import { selectForExport } from '../export/export.views.ts';
import { scopedTo } from '../sim-scope.views.ts';
import { createOrdering, type SimOrder } from './ordering.service.ts';
import { suspendRule } from './sim-operation.rules.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const actor: Actor = {
  kind: 'person',
  id: null,
  name: 'Ana',
  address: null,
  traceId: null,
  action: 'sims.suspension-ordered',
};
/** Each field of the filter, with a value that the SIM of this test has. */
const values: Required<SimFilter> = {
  search: '89860019999999990001',
  lifecycle: ['active'],
  connection: ['online'],
  tags: ['fleet'],
  bundle: ['EU5'],
  usage_percent_min: 10,
  usage_percent_max: 90,
  usage_bytes_min: 1,
  usage_bytes_max: 1000,
  cost_min: 1,
  cost_max: 3,
  expires_within_days: 30,
  over_limit: false,
  data_state: ['stopped'],
  sms_suspended: false,
  device_name: 'pump',
  notes: 'mast',
  delivery_note_number: 'DN-1',
  chip_grade: ['industrial'],
  technology: ['one IMSI'],
  apn: 'iot',
  ip: '10.0.0.1',
  country: ['DE'],
  operator: ['262-01'],
  radio: ['4G'],
  shipment_from: '2026-11-01',
  shipment_to: '2026-11-30',
  activated_from: '2026-11-01T00:00:00Z',
  activated_to: '2026-11-30T00:00:00Z',
  expires_from: '2026-11-22T00:00:00Z',
  expires_to: '2026-12-30T00:00:00Z',
  last_session_from: '2026-11-01T00:00:00Z',
  last_session_to: '2026-11-30T00:00:00Z',
  imei_changed_within_days: 30,
  empty: ['msisdn'],
  not_empty: ['notes'],
  task: 'T00000001',
  identifiers: ['89860019999999990001'],
};
const filters: SimFilter[] = [
  ...Object.entries(values).map(([field, value]) => ({ [field]: value })),
  // Searches for a part of an identifier, and for the start of a field, are looked up in other ways.
  { search: '9999999' },
  { search: 'fl' },
];

let database: Database;
let orgId: number;
let userId: string;

beforeAll(async () => {
  // What works on one connection never waits for a second one while it holds the first.
  database = await testDatabase({ max: 1 });
  const { pool } = database;
  orgId = (await insertTestOrganisation(pool)).id;
  userId = (await insertTestPerson(pool)).userId;
  await pool.query(`insert into memberships (org_id, user_id, role) values ($1, $2, 'admin')`, [
    orgId,
    userId,
  ]);
  await pool.query(
    `insert into networks (plmn, mcc, mnc, operator, country) values (262001, '262', '01', 'A', 'DE')
     on conflict (plmn) do nothing`,
  );
  const bundle = await pool.query<{ id: number }>(
    `insert into bundles (code, name, sku, type, overage_policy, reset_cycle)
     values ('EU5', 'EU5', 'EU5', 'prepaid basic', 'stop', 'month') returning id`,
  );
  const { id } = await makeSim(pool, orgId, {
    iccid: '89860019999999990001',
    deviceName: 'Pump',
    notes: 'Left at the mast',
    tags: ['fleet'],
    bundleId: bundle.rows[0]?.id ?? 0,
    activatedAt: '2026-11-02T00:00:00Z',
    expiresAt: '2026-12-01T00:00:00Z',
    connection: 'online',
    usedBytes: 500,
    limitBytes: 1000,
    plmn: 262001,
  });
  await pool.query(
    `update sims set delivery_note_number = 'DN-1', chip_grade = 'industrial', technology = 'one IMSI', apn = 'iot.acme',
       shipment_on = '2026-11-02', imei_changed_at = '2026-11-20', last_imei = '490154203237518' where id = $1`,
    [id],
  );
  await pool.query(
    `update sim_live set ip = '10.0.0.1', radio = $2, last_session_at = '2026-11-20', cost_micros = 2000000,
       data_state = 2
     where sim_id = $1`,
    [id, 3],
  );
  await pool.query(
    `insert into tasks (org_id, user_id, type, quantity, started_at, moved_at) values ($1, $2, 'sim-tags', 1, $3, $3)`,
    [orgId, userId, clock.now()],
  );
  await pool.query(
    `insert into task_items (task_id, position, kind, ref, label, state) values (1, 0, 'sim', $1, '-', 1)`,
    [id],
  );
});
afterAll(() => database.close());

it.each(filters)(
  'SIMs are selected by %j on the connection of the preview, the order or the export',
  async (filter) => {
    const { pool } = database;
    const ordering = createOrdering({ pool, clock });
    const orderer = { org: { id: orgId }, userId, actor, language: 'en-US' } as const;
    // The SIM stays busy with the first order, so it is refused in the others.
    const order: SimOrder<object> = {
      rule: suspendRule,
      parameters: {},
      remark: null,
      selected: { filter },
      refuseAll: false,
    };
    expect(await ordering.preview(orderer, order)).toMatchObject({ selected: 1 });
    expect(await ordering.accept(orderer, order)).toMatchObject({ quantity: 1 });
    const snapshot = await openSnapshot(pool);
    const db = typedWithin(snapshot.client);
    const scope = scopedTo({ id: orgId });
    const query = { db, scope, selection: { filter }, limit: 10, now: clock.now() };
    expect(await selectForExport(query)).toHaveLength(1);
    await snapshot.end();
    snapshot.release();
  },
);
