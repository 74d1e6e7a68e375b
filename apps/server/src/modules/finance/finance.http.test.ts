import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { makeBill } from '../../testing/bills.ts';
import { makeSim } from '../../testing/inventory.ts';

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

it('lists the bills of the organisation by month, in both readings, and replaced ones when asked', async () => {
  expect(await listed({})).toEqual(['2026-10 2 issued', '2026-09 1 expired']);
  expect(await listed({ replaced: true, search: 'bill-2026-10-00417' })).toEqual([
    '2026-10 2 issued',
    '2026-10 1 null',
  ]);
  expect(await listed({ state: ['expired'] })).toEqual(['2026-09 1 expired']);
  expect(await listed({ month: '2026-08' })).toEqual([]);
  expect((await list({ month: '2026-10' })).body.data[0]).toMatchObject({
    ...{
      number: 'BILL-2026-10-00417',
      total_minor: 600,
      paid_minor: 150,
      settlement_customer: { code: 'acme' },
    },
    groups: [
      { group: 'bundles', amount_minor: 100 },
      { group: 'overage', amount_minor: 200 },
      { group: 'sms', amount_minor: 300 },
    ],
  });
});

it('says what a version replaced and why, with the payments of the bill, and compares line by line', async () => {
  const version = await admin.call(finance.version, { query: { billId } });
  expect(version.body.data).toMatchObject({
    replaces: { id: String(older), version: 1, total_minor: 600, reason: 'Wrong tariff' },
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
  const extract = await admin.call(finance.extract, { params: { billId } });
  expect(
    extract.body.data.map(({ organisation, amount_minor }) => [organisation.code, amount_minor]),
  ).toEqual([
    ['acme', 100],
    ['acme', 200],
    ['acme', 300],
  ]);
});

it('says what each SIM is of a bill or of a line, found by its number', async () => {
  const sims = async (body: { line?: number; search?: string }) =>
    (await admin.call(finance.listSims, { body: { billId, ...body } })).body.data;
  expect((await sims({})).map(({ iccid }) => iccid)).toEqual(iccids);
  expect(await sims({ line: 1, search: iccids[1] ?? '' })).toEqual([
    {
      ...{ iccid: iccids[1], device_name: null, amount_micros: 1_000_000 },
      charges: [
        {
          ...{ line: 1, cycle_started_at: '2026-10-01T00:00:00.000Z' },
          ...{ quantity: 1, bytes: null, amount_micros: 1_000_000 },
        },
      ],
    },
  ]);
  expect(await sims({ line: 2 })).toEqual([]);
});

it('says what is open and past due, and what months came to', async () => {
  const settled = (await admin.call(finance.settles, {})).body.data;
  expect(settled).toMatchObject({
    terms: 'post-payment',
    currencies: [{ currency: 'EUR', open_minor: 1050, past_due_minor: 600, deposit_minor: null }],
  });
  expect(settled.currencies[0]?.months.map(({ month, amount_minor }) => `${month} ${amount_minor}`)).toEqual([
    ...['2026-09 100', '2026-09 200', '2026-09 300'],
    ...['2026-10 100', '2026-10 200', '2026-10 300'],
  ]);
});

it('gives lines and SIMs as files', async () => {
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
