import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeBill } from '../../../testing/bills.ts';
import { lineList, listLines } from './lines.views.ts';

let test: TestApp;
let orgId: number;
let serial = 500;
let before: number;
let now: number;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  await makeOrganisation(test, { code: 'operator' });
  orgId = (await makeOrganisation(test, { code: 'acme', parentCode: 'operator' })).id;
});
afterAll(() => test.close());
beforeEach(async () => {
  serial += 1;
  const month = `2026-0${serial - 500}`;
  before = await makeBill(pool(), { orgId, month, serial });
  now = await makeBill(pool(), { orgId, month, serial, version: 2 });
  await pool().query('delete from bill_lines where bill_id = any($1)', [[before, now]]);
});

/** Lines of a bill for the fee of one bundle, each at a price of its own. */
const fees = async (billId: number, lines: readonly (readonly [price: number, amount: number])[]) => {
  for (const [index, [price, amount]] of lines.entries())
    await pool().query(
      `insert into bill_lines (bill_id, line, org_id, kind, bundle_code, bundle_name, tariff_version_id, tariff_code, tariff_name,
         tariff_starts_on, quantity, unit, price_micros, amount_minor)
       select $1, $2, $3, 'cycle', 'A', 'A', id, 'bills', 'Bills', starts_on, 1, 'each', $4, $5 from tariff_versions limit 1`,
      [billId, index + 1, orgId, price, amount],
    );
};
const compared = async () =>
  (
    await readPage(test.database.db, lineList, {
      scope: { billId: now },
      now: test.clock.now(),
      ...pageQueryOf({ page_no: 1, page_size: 10 }),
    })
  ).data.map(({ amount_minor: amount, before_minor: former }) => [former, amount]);

it('lines at two prices are each compared with the line at the same price', async () => {
  await fees(before, [
    [2, 100],
    [3, 50],
  ]);
  await fees(now, [
    [2, 120],
    [3, 50],
  ]);
  expect(await compared()).toEqual([
    [100, 120],
    [50, 50],
  ]);
});

it('lines at a new price are compared with removed lines, once', async () => {
  await fees(before, [
    [2, 100],
    [3, 50],
  ]);
  await fees(now, [
    [3, 50],
    [4, 10],
    [5, 20],
  ]);
  expect(await compared()).toEqual([
    [50, 50],
    [100, 10],
    [null, 20],
  ]);
});

it('a line includes the removed lines for the same item', async () => {
  await fees(before, [
    [2, 100],
    [3, 50],
  ]);
  await fees(now, [[2, 120]]);
  expect(await compared()).toEqual([[150, 120]]);
});

it('lines are ordered by group and then by item, whenever they were added', async () => {
  const lines = [
    ['sms-mo', null, null, null],
    ['cycle', 'EU 4 GB', null, null],
    ['cycle', 'EU 1 GB', null, '2026-01-01'],
    ['out-of-coverage', null, 'Europe', null],
    ['cycle', 'EU 1 GB', null, null],
    ['activation', 'EU 4 GB', null, null],
    ['out-of-coverage', null, 'Asia', null],
    ['activation', 'EU 1 GB', null, null],
  ] as const;
  for (const [index, [kind, bundle, zone, corrects]] of lines.entries())
    await pool().query(
      `insert into bill_lines (bill_id, line, org_id, kind, bundle_code, bundle_name, zone_code, zone_name, corrects_on,
         tariff_version_id, tariff_code, tariff_name, tariff_starts_on, quantity, unit, price_micros, amount_minor)
       select $1, $2, $3, $4, $5, $5, $6, $6, $7, id, 'bills', 'Bills', starts_on, 1, 'each', 1, 1 from tariff_versions limit 1`,
      [now, index + 1, orgId, kind, bundle, zone, corrects],
    );
  const all = await listLines(pool(), { billId: now, limit: 10 });
  expect(all.map(({ kind, bundle, zone }) => `${kind} ${bundle?.name ?? zone?.name ?? ''}`)).toEqual([
    'activation EU 1 GB',
    'cycle EU 1 GB',
    'activation EU 4 GB',
    'cycle EU 4 GB',
    'out-of-coverage Asia',
    'out-of-coverage Europe',
    'sms-mo ',
    'cycle EU 1 GB',
  ]);
  const paged: number[] = [];
  for (let page_no = 1; page_no <= 4; page_no += 1) {
    const page = pageQueryOf({ page_no, page_size: 2 });
    const read = { scope: { billId: now }, now: test.clock.now(), ...page };
    paged.push(...(await readPage(test.database.db, lineList, read)).data.map(({ line }) => line));
  }
  expect(paged).toEqual(all.map(({ line }) => line));
});
