import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeBill, publishedMonth } from '../../../testing/bills.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { makeSim } from '../../../testing/inventory.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { createBundle } from '../../bundle/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { listCustomers } from '../customers.views.ts';
import { draftMonth } from '../drafts/draft.service.ts';
import { publishMonth } from '../publication/publication.service.ts';

const { bundle } = endpoints;
const megabyte = 2 ** 20;

let test: TestApp;
let acme: Awaited<ReturnType<typeof makeOrganisation>>;
let sim: { id: number; iccid: string };
let billId: number;
let customers = 0;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-11-20T12:00:00Z');
  await makeOrganisation(test, { code: 'operator' });
  const { pool } = test.database;
  await ensurePartitions(pool, new Date('2026-10-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makePricedBundles(pool);
  await createBundle(
    pool,
    bundleOf({
      code: 'FULL',
      type: 'postpaid bundle',
      quota_bytes: 10 * megabyte,
      overage_policy: 'billing',
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
      reset_cycle: 'full month',
      duration_days: null,
    }),
  );
  const bundles = { FULL: { activation: '1', cycle: '5', over: '0.01' } };
  const versions = [{ starts_on: '2026-01-01', bundles, zones: { asia: '0.1', rest: '1' } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
});
afterAll(() => test.close());
beforeEach(async () => {
  const { pool } = test.database;
  customers += 1;
  acme = await makeOrganisation(test, { code: `acme-${customers}`, parentCode: 'operator' });
  sim = await makeSim(pool, acme.id, {});
  await pool.query(
    `insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes)
     values ($1, '2026-09-01', '2026-10-01', 0), ($1, '2026-10-01', '2026-11-01', 0)`,
    [sim.id],
  );
  // 1.00 for the fee of October.
  billId = await makeBill(pool, { orgId: acme.id, simIds: [sim.id] });
});

const costs = async (client: TestClient) => {
  const { body } = await client.call(bundle.listCycles, { body: { iccid: sim.iccid } });
  return Object.fromEntries(body.data.map((cycle) => [cycle.started_at.slice(0, 7), cycle.cost]));
};
const charge = (line: number, quantity: number, at = '2026-10-01') =>
  test.database.pool.query(
    'insert into bill_charges (bill_id, line, sim_id, cycle_started_at, quantity) values ($1, $2, $3, $4, $5)',
    [billId, line, sim.id, at, quantity],
  );
/** The bill contains the usage of October. */
const countCycle = async () => {
  await publishedMonth(test.database.pool, { orgId: acme.id });
  await test.database.pool.query(
    `insert into bill_cycles (sim_id, cycle_started_at, org_id, month_on, customer_id, used_bytes)
     values ($1, '2026-10-01', $2, '2026-10-01', $2, 0)`,
    [sim.id, acme.id],
  );
};

it('a past cycle costs what its bill charges for it, each charge rounded, without messages', async () => {
  const admin = await signedInAs(test, 'admin', acme);
  // The fee falls due before the usage is known.
  expect(await costs(admin)).toEqual({ '2026-09': null, '2026-10': null });
  await countCycle();
  await test.database.pool.query(
    "update bill_lines set price_micros = 15500 where bill_id = $1 and kind = 'over-quota'",
    [billId],
  );
  await charge(2, 3);
  await charge(3, 7);
  // 1.00 and 3 × 0.0155 = 0.0465.
  const october = { currency: 'EUR', amount_minor: 105 };
  expect(await costs(admin)).toEqual({ '2026-09': null, '2026-10': october });
  for (const change of ["status = 'obsolete'", "status = 'draft', issued_at = null, due_on = null"]) {
    await test.database.pool.query(`update bills set ${change} where id = $1`, [billId]);
    expect(await costs(admin)).toEqual({ '2026-09': null, '2026-10': null });
  }
});

it('the cost of a past cycle is for those who may see bills, in the file as well', async () => {
  await countCycle();
  const file = async (client: TestClient) => {
    const { method, path: url } = bundle.exportCycles;
    const sent = { method, url, headers: client.headers, payload: { iccid: sim.iccid } };
    return (await test.app.inject(sent)).payload;
  };
  const [admin, user] = [await signedInAs(test, 'admin', acme), await signedInAs(test, 'user', acme)];
  expect((await costs(admin))['2026-10']).toEqual({ currency: 'EUR', amount_minor: 100 });
  expect(await file(admin)).toContain(',1.00,EUR');
  expect(await costs(user)).toEqual({ '2026-09': null, '2026-10': null });
  expect(await file(user)).not.toContain('EUR');
});

it('the bill of another customer says nothing about an organisation’s own cost', async () => {
  await countCycle();
  const other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  await test.database.pool.query('update bills set org_id = $2 where id = $1', [billId, other.id]);
  expect((await costs(await signedInAs(test, 'admin', acme)))['2026-10']).toBeNull();
});

it('until a bill with its overage is issued, an ended cycle costs what its usage costs so far', async () => {
  const { pool } = test.database;
  const payer = await makeOrganisation(test, { code: `payer-${customers}`, parentCode: 'operator' });
  const [customer] = await listCustomers(pool, payer.code);
  const at = async (now: string, bill?: { month: string; make: typeof draftMonth | typeof publishMonth }) => {
    test.clock.set(now);
    await turnDueCycles({ pool, now: test.clock.now() });
    if (bill && customer) await bill.make(pool, { customer, month: bill.month, now: test.clock.now() });
  };
  test.clock.set('2026-10-11T02:00:00Z');
  const below = await makeOrganisation(test, { code: `below-${customers}`, parentCode: payer.code });
  const order = { now: test.clock.now(), bundles: ['FULL'] };
  const own = await makeSimWithBundles(test, { orgId: payer.id, ...order });
  const paidFor = await makeSimWithBundles(test, { orgId: below.id, ...order });
  test.clock.set('2026-10-13T02:00:00Z');
  // 2 MB beyond the quota, and 1 MB in Japan.
  for (const { iccid } of [own, paidFor]) {
    await importUsage(test, iccid, [
      { at: '2026-10-12T10:00:00Z', bytes: 12 * megabyte, country: 'DE' },
      { at: '2026-10-12T11:00:00Z', bytes: megabyte, country: 'JP' },
    ]);
  }
  await at('2026-11-02T16:30:00Z', { month: '2026-10', make: publishMonth });
  await at('2026-11-11T02:00:00Z');
  const october = async (role: 'admin' | 'user', [org, { iccid }] = [payer, own]) => {
    const client = await signedInAs(test, role, org);
    const { body } = await client.call(bundle.listCycles, { body: { iccid } });
    const cycle = body.data.find(({ started_at }) => started_at.startsWith('2026-10'));
    return [cycle?.current, cycle?.cost?.amount_minor, cycle?.cost_provisional];
  };
  const computed = [false, 100 + 500 + 2 + 10, true];
  expect(await october('admin')).toEqual(computed);
  expect(await october('user')).toEqual(computed);
  expect(await october('user', [below, paidFor])).toEqual(computed);
  // The overage is on a draft.
  await at('2026-11-30T16:30:00Z', { month: '2026-11', make: draftMonth });
  expect(await october('admin')).toEqual(computed);
  await at('2026-12-02T16:30:00Z', { month: '2026-11', make: publishMonth });
  expect(await october('admin')).toEqual([false, 612, false]);
  expect(await october('user')).toEqual([false, undefined, false]);
  // An organisation that another pays for has no bill.
  for (const role of ['admin', 'user'] as const)
    expect(await october(role, [below, paidFor])).toEqual([false, 612, false]);
});
