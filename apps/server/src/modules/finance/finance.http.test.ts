import { endpoints, limits } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../platform/db/index.ts';
import { expectFailure } from '../../testing/accounts.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { makeBill } from '../../testing/bills.ts';
import { makeSim } from '../../testing/inventory.ts';
import { runJobs } from '../../testing/jobs.ts';
import { findCostliestSims } from './document/bill-document.views.ts';

const { finance } = endpoints;

let test: TestApp;
let admin: TestClient;
let acme: { id: number; code: string; tenantId: string };
let iccids: string[];
let older: number;
let billId: string;

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  test.clock.set('2026-11-20T12:00:00Z');
  await ensurePartitions(pool, new Date('2026-10-01T00:00:00Z'), new Date('2026-10-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  admin = await signedInAs(test, 'admin', acme);
  const sims = [await makeSim(pool, acme.id, {}), await makeSim(pool, acme.id, {})];
  iccids = sims.map(({ iccid }) => iccid);
  const simIds = sims.map(({ id }) => id);
  await makeBill(pool, { orgId: acme.id, month: '2026-09' });
  older = await makeBill(pool, { orgId: acme.id, simIds, serial: 417 });
  billId = String(await makeBill(pool, { orgId: acme.id, simIds, serial: 417, version: 2 }));
  await pool.query("update bills set status = 'obsolete' where id = $1", [older]);
  await pool.query("update bills set reissue_reason = 'Wrong tariff', due_on = '2026-11-20' where id = $1", [
    billId,
  ]);
  await pool.query('update bill_lines set amount_minor = 250 where bill_id = $1 and line = 2', [older]);
  await pool.query(
    `insert into bill_payments (org_id, serial, currency, amount_minor, paid_on, reference, recorded_at)
     values ($1, 417, 'EUR', 150, '2026-11-10', 'TX 1', now())`,
    [acme.id],
  );
});
afterAll(() => test.close());

const listed = async (body: Parameters<typeof list>[0]) =>
  (await list(body)).body.data.map(({ month, version, state }) => `${month} ${version} ${state}`);
const list = (body: {
  search?: string;
  state?: ('issued' | 'expired')[];
  replaced?: boolean;
  month?: string;
}) => admin.call(finance.list, { body });

it('lists the bills of the organisation by month, and replaced ones on request', async () => {
  expect(await listed({})).toEqual(['2026-10 2 issued', '2026-09 1 expired']);
  expect(await listed({ replaced: true, search: 'bill-2026-10-00417' })).toEqual([
    '2026-10 2 issued',
    '2026-10 1 null',
  ]);
  expect(await listed({ state: ['expired'] })).toEqual(['2026-09 1 expired']);
  expect(await listed({ month: '2026-08' })).toEqual([]);
  expect((await list({ month: '2026-10' })).body.data[0]).toMatchObject({
    number: 'BILL-2026-10-00417',
    total_minor: 600,
    paid_minor: 150,
    to_pay_minor: 450,
    settlement_customer: { code: 'acme' },
    groups: [
      { group: 'bundles', amount_minor: 100 },
      { group: 'overage', amount_minor: 200 },
      { group: 'sms', amount_minor: 300 },
    ],
  });
});

it('shows which version was replaced and why, the payments, and a comparison by line', async () => {
  const version = await admin.call(finance.version, { query: { billId } });
  expect(version.body.data).toMatchObject({
    replaces: {
      id: String(older),
      version: 1,
      total_minor: 600,
      issued_at: '2026-11-03T00:00:00.000Z',
      reason: 'Wrong tariff',
    },
    payments: [{ paid_on: '2026-11-10', amount_minor: 150, reference: 'TX 1' }],
  });
  const versions = await admin.call(finance.versions, { query: { billId: String(older) } });
  expect(versions.body.data.map(({ id }) => id)).toEqual([billId, String(older)]);
  const lines = await admin.call(finance.details, { query: { billId } });
  expect(lines.body.data.map((line) => [line.group, line.amount_minor, line.before_minor])).toEqual([
    ['bundles', 100, 100],
    ['overage', 200, 250],
    ['sms', 300, 300],
  ]);
  const one = await admin.call(finance.details, { query: { billId, line: 2 } });
  expect(one.body.data.map(({ line }) => line)).toEqual([2]);
  const extract = await admin.call(finance.extract, { params: { billId } });
  expect(
    extract.body.data.map(({ organisation, amount_minor }) => [organisation.code, amount_minor]),
  ).toEqual([
    ['acme', 100],
    ['acme', 200],
    ['acme', 300],
  ]);
});

it('shows each SIM’s part of a bill or a line, found by its number', async () => {
  const sims = async (body: { line?: number; search?: string }) =>
    (await admin.call(finance.listSims, { body: { billId, ...body } })).body.data;
  expect((await sims({})).map(({ iccid }) => iccid)).toEqual(iccids);
  expect(await sims({ line: 1, search: iccids[1] ?? '' })).toEqual([
    {
      iccid: iccids[1],
      device_name: null,
      amount_micros: 1_000_000,
      charges: [
        {
          line: 1,
          cycle_started_at: '2026-10-01T00:00:00.000Z',
          cycle_ends_at: null,
          quantity: 1,
          bytes: null,
          amount_micros: 1_000_000,
        },
      ],
    },
  ]);
  expect(await sims({ line: 2 })).toEqual([]);
});

it('names devices of SIMs that the organisation owns, not by the name that a later owner gave', async () => {
  const { pool } = test.database;
  const other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  const [stays, gone] = [
    await makeSim(pool, acme.id, { deviceName: 'Own lorry' }),
    await makeSim(pool, other.id, { deviceName: 'Their lorry' }),
  ];
  const id = await makeBill(pool, { orgId: acme.id, month: '2026-06', simIds: [stays.id, gone.id] });
  for (const line of [undefined, 1]) {
    const { data } = (await admin.call(finance.listSims, { body: { billId: String(id), line } })).body;
    expect(data.map(({ iccid, device_name }) => [iccid, device_name])).toEqual([
      [stays.iccid, 'Own lorry'],
      [gone.iccid, null],
    ]);
  }
  const { sims } = await findCostliestSims(pool, { billId: id, most: 10 });
  expect(new Map(sims.map(({ iccid, device_name }) => [iccid, device_name]))).toEqual(
    new Map([
      [stays.iccid, 'Own lorry'],
      [gone.iccid, null],
    ]),
  );
  for (const table of ['bill_charges', 'bill_sims', 'bill_lines'])
    await pool.query(`delete from ${table} where bill_id = $1`, [id]);
  await pool.query('delete from bills where id = $1', [id]);
});

it('sorts the SIMs of a line by their part of the line, not of the bill', async () => {
  const { pool } = test.database;
  const { rows } = await pool.query<{ id: number }>('select id from sims where org_id = $1 order by id', [
    acme.id,
  ]);
  const [first, second] = rows.map(({ id }) => id);
  const id = await makeBill(pool, { orgId: acme.id, month: '2026-07', simIds: [] });
  // On line 2 the first SIM has two cycles, of 2 and 3, the second one of 4; on the whole bill the second costs
  // more.
  await pool.query(
    `insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity, sim_quantity) values
       ($1, 2, $2, '2026-07-01', 2, 5), ($1, 2, $2, '2026-07-02', 3, null), ($1, 2, $3, '2026-07-01', 4, 4), ($1, 1, $3, '2026-07-01', 9, 9)`,
    [id, first, second],
  );
  await pool.query(
    'insert into bill_sims (bill_id, sim_id, amount_micros) values ($1, $2, 5000000), ($1, $3, 13000000)',
    [id, first, second],
  );
  const dearest = async (body: object) => {
    const asked = { billId: String(id), sort: '-amount', ...body } as const;
    const { data } = (await admin.call(finance.listSims, { body: asked })).body;
    return data.map(({ iccid, amount_micros, charges }) => [
      iccids.indexOf(iccid),
      amount_micros / 1e6,
      charges.length,
    ]);
  };
  expect(await dearest({})).toEqual([
    [1, 13, 2],
    [0, 5, 2],
  ]);
  expect(await dearest({ line: 2 })).toEqual([
    [0, 5, 2],
    [1, 4, 1],
  ]);
  await pool.query('delete from bill_charges where bill_id = $1', [id]);
  await pool.query('delete from bill_sims where bill_id = $1', [id]);
  await pool.query('delete from bills where id = $1', [id]);
});

it('refuses invalid months and lines', async () => {
  for (const month of ['0000-01', '2026-13', '3000-01']) expectFailure(await list({ month }), 'CB-00-0400');
  for (const line of [0, 2 ** 31, 1.5]) {
    expectFailure(await admin.call(finance.details, { query: { billId, line } }), 'CB-00-0400');
    expectFailure(await admin.call(finance.listSims, { body: { billId, line } }), 'CB-00-0400');
  }
});

it('shows open and past-due amounts, and monthly totals', async () => {
  const settled = (await admin.call(finance.settles, {})).body.data;
  expect(settled).toMatchObject({
    terms: 'post-payment',
    currencies: [
      { currency: 'EUR', open_minor: 1050, past_due_minor: 600, deposit_minor: null, open_count: 2 },
    ],
  });
  expect(settled.currencies[0]?.open_bills).toMatchObject([
    { month: '2026-09', type: 'post-payment', state: 'expired', due_on: '2026-11-13', to_pay_minor: 600 },
    { month: '2026-10', type: 'post-payment', state: 'issued', due_on: '2026-11-20', to_pay_minor: 450 },
  ]);
  expect(settled.currencies[0]?.months.map(({ month, amount_minor }) => `${month} ${amount_minor}`)).toEqual([
    ...['2026-09 100', '2026-09 200', '2026-09 300'],
    ...['2026-10 100', '2026-10 200', '2026-10 300'],
  ]);
});

it('shows the months of a year on demand, and which months have bills', async () => {
  const monthsOf = async (year: number) => {
    const { data } = (await admin.call(finance.settles, { query: { year } })).body;
    expect([data.first_month, data.last_month]).toEqual(['2026-09', '2026-10']);
    return new Set(data.currencies.flatMap(({ months }) => months.map(({ month }) => month)));
  };
  expect(await monthsOf(2026)).toEqual(new Set(['2026-09', '2026-10']));
  expect(await monthsOf(2025)).toEqual(new Set());
  expectFailure(await admin.call(finance.settles, { query: { year: 1999 } }), 'CB-00-0400');
});

it('provides lines and SIMs as files', async () => {
  const text = async (content: 'lines' | 'sims') =>
    (
      await test.app.inject({
        url: `${finance.download.path.replace('{billId}', billId)}?content=${content}`,
        headers: admin.headers,
      })
    ).payload.split('\r\n');
  expect((await text('lines')).slice(1)).toEqual([
    '1,acme Limited,Fee of the cycle,,,Bills 2026-01-01,each,1,1.000000,1.00',
    '2,acme Limited,Beyond the quota,,,Bills 2026-01-01,each,2,1.000000,2.00',
    '3,acme Limited,Messages sent,,,Bills 2026-01-01,each,3,1.000000,3.00',
    '',
  ]);
  expect((await text('sims')).slice(1, 3).map((row) => row.split(',').slice(7))).toEqual(
    iccids.map((iccid) => [iccid, '2026-10-01 00:00:00', '1', '1.000000', '1.000000']),
  );
});

it('recomputes a bill on request, and stores the result for all readers', async () => {
  const before = (await admin.call(finance.version, { query: { billId } })).body.data;
  expect([before.check, before.payee]).toEqual([null, null]);
  const { check: checked, checking } = (await admin.call(finance.check, { body: { billId } })).body.data;
  if (!checked) throw new Error('It was not computed at once');
  expect(checking).toBeNull();
  // These lines were made up: no records support them.
  expect(checked.lines).toBe(3);
  expect(checked.mismatches.map(({ billed, computed }) => [billed, computed])).toEqual(
    expect.arrayContaining([
      ['1', '0'],
      ['2', '0'],
      ['3', '0'],
    ]),
  );
  expect((await admin.call(finance.version, { query: { billId } })).body.data.check).toEqual(checked);
});

it('recomputes a bill of many SIMs in the background, with progress', async () => {
  const { pool } = test.database;
  const many = limits.bills.checkedAtOnce;
  const id = String(await makeBill(pool, { orgId: acme.id, month: '2026-08' }));
  await pool.query(
    'insert into bill_sims (bill_id, sim_id, amount_micros) select $1, 1000000 + n, 0 from generate_series(0, $2::int) n',
    [id, many],
  );
  const started = (await admin.call(finance.check, { body: { billId: id } })).body.data;
  const checking = { started_at: test.clock.now().toISOString(), sims: many + 1, sims_done: 0 };
  expect(started).toEqual({ check: null, checking });
  const shown = async () => (await admin.call(finance.version, { query: { billId: id } })).body.data;
  expect(await shown()).toMatchObject({ check: null, checking });
  const again = await test.app.inject({
    method: 'POST',
    url: finance.check.path,
    headers: admin.headers,
    payload: { billId: id },
  });
  expect(again.json()).toMatchObject({ status: { code: 'CB-06-0002' } });
  await runJobs(test.database, test.wiring.jobs);
  expect(await shown()).toMatchObject({ check: { lines: 3 }, checking: null });

  // A check whose process died expires after a while, and may be started again.
  await pool.query(
    'insert into bill_check_runs (bill_id, started_at, heard_at, sims, sims_done) values ($1, $2, $2, 9, 4)',
    [id, test.clock.now()],
  );
  expect((await shown()).checking).toMatchObject({ sims_done: 4 });
  await pool.query(`update bill_check_runs set heard_at = heard_at - interval '11 minutes'`);
  expect((await shown()).checking).toBeNull();
  const restarted = (await admin.call(finance.check, { body: { billId: id } })).body.data;
  expect(restarted.checking).toEqual(checking);
  await pool.query('delete from bills where id = $1', [id]);
});

it('does not recompute a replaced version, nor one that is being recomputed', async () => {
  const refused = async (id: string) => {
    const { body } = await test.app
      .inject({ method: 'POST', url: finance.check.path, headers: admin.headers, payload: { billId: id } })
      .then((answer) => ({ body: answer.json() as { status: { code: string } } }));
    return body.status.code;
  };
  expect(await refused(String(older))).toBe('CB-06-0003');
  await test.database.pool.query(
    'insert into bill_check_runs (bill_id, started_at, heard_at, sims) values ($1, $2, $2, 1)',
    [billId, test.clock.now()],
  );
  expect(await refused(billId)).toBe('CB-06-0002');
  await test.database.pool.query('delete from bill_check_runs where bill_id = $1', [billId]);
});

it('shows the cycle behind a line day by day, and when its quota was used up', async () => {
  const { pool } = test.database;
  const [iccid = ''] = iccids;
  await pool.query(
    `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
     select id, '2026-10-01', '2026-11-01', 300, 150 from sims where iccid = $1`,
    [iccid],
  );
  await pool.query(
    `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, up_bytes, down_bytes, source)
     select s.id, '2026-10-02T12:00:00Z'::timestamptz + n * interval '1 day', n, '2026-10-01', $2, 40, 60, 1
     from sims s, generate_series(0, 2) n where s.iccid = $1`,
    [iccid, acme.id],
  );
  // Another organisation's earlier usage counts towards the quota, and is not shown.
  await pool.query(
    `insert into cdrs (sim_id, ended_at, dedupe_key, started_at, org_id, up_bytes, down_bytes, source)
     select id, '2026-10-01T12:00:00Z', 9, '2026-10-01', org_id + 1, 0, 20, 1 from sims where iccid = $1`,
    [iccid],
  );
  const asked = { billId, line: 1, iccid, cycle: '2026-10-01T00:00:00.000Z' };
  const never = { ...asked, cycle: '2026-09-01T00:00:00.000Z' };
  expect((await admin.call(finance.cycle, { query: never })).body.data).toBeNull();
  const { body } = await admin.call(finance.cycle, { query: asked });
  expect(body.data).toMatchObject({
    limit_bytes: 150,
    used_bytes: 300,
    used_up_at: '2026-10-03T12:00:00.000Z',
    records: { within: 1, beyond: 2 },
    days: [
      { day: '2026-10-02', bytes: 100, beyond_bytes: 0 },
      { day: '2026-10-03', bytes: 100, beyond_bytes: 70 },
      { day: '2026-10-04', bytes: 100, beyond_bytes: 100 },
    ],
  });
});
