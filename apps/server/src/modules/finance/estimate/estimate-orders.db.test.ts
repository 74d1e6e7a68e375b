import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { createBundle } from '../../bundle/index.ts';
import { endOrders } from '../../bundle/lifecycle/lifecycle.service.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { findCustomer } from '../customers.views.ts';
import { draftMonth } from '../drafts/draft.service.ts';
import { computeEstimate } from './estimate.service.ts';

const megabyte = 2 ** 20;
const month = '2026-11';

let test: TestApp;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-11-03T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-09-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  const zoned = { out_of_coverage_policy: 'billing' as const, coverage_countries: ['DE'] };
  const plan = { quota_bytes: 10 * megabyte, overage_policy: 'billing', ...zoned } as const;
  // An order ends in the middle of its cycle.
  await createBundle(
    pool(),
    bundleOf({ ...plan, code: 'YEAR', reset_cycle: 'full year', duration_days: 20 }),
  );
  await createBundle(
    pool(),
    bundleOf({ ...plan, code: 'WEEK', type: 'postpaid bundle', reset_cycle: 'month', duration_days: 7 }),
  );
  const bundles = {
    YEAR: { activation: '2', cycle: '9', over: '0.5' },
    WEEK: { activation: '1', cycle: '3', over: '0.25' },
  };
  const versions = [{ starts_on: '2026-01-01', bundles, zones: { asia: '0.1', rest: '1' } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
});
afterAll(() => test.close());

const makeCustomer = async (code: string) => {
  const { id } = await makeOrganisation(test, { code, parentCode: 'operator' });
  const customer = await findCustomer(pool(), id);
  if (!customer) throw new Error('No customer');
  return customer;
};
type Customer = Awaited<ReturnType<typeof makeCustomer>>;

const estimated = async (customer: Customer) => {
  const { currencies } = await computeEstimate(pool(), { customer, now: test.clock.now() });
  const parts = currencies.flatMap((one) => one.parts);
  return Object.fromEntries(parts.map((part) => [part.kind, [part.so_far_minor, part.expected_minor]]));
};

/** The amounts of the month's bills by kind of charge, drafted after all orders have ended. */
const drafted = async (customer: Customer) => {
  test.clock.set('2026-11-30T16:30:00Z');
  await endOrders({ pool: pool(), now: test.clock.now() });
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await draftMonth(pool(), { customer, month, now: test.clock.now() });
  const { rows } = await pool().query<{ kind: string; amount: number }>(
    `select n.kind, sum(n.amount_minor)::int8 as amount from bill_lines n join bills b on b.id = n.bill_id
     where b.org_id = $1 group by 1`,
    [customer.id],
  );
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
};

const beginning = '2026-11-03T02:00:00Z';

it('an estimate includes the usage of a cycle that ends this month with its order', async () => {
  test.clock.set(beginning);
  const customer = await makeCustomer('acme');
  const now = test.clock.now();
  const { iccid } = await makeSimWithBundles(test, { orgId: customer.id, now, bundles: ['YEAR'] });
  test.clock.set('2026-11-13T02:00:00Z');
  await importUsage(test, iccid, [
    { at: '2026-11-05T02:00:00Z', bytes: 15 * megabyte, country: 'DE' },
    { at: '2026-11-06T02:00:00Z', bytes: 3 * megabyte, country: 'JP' },
  ]);
  // Half of its 20 days are over: twice the usage is expected.
  expect(await estimated(customer)).toEqual({
    activation: [200, 200],
    cycle: [900, 900],
    'over-quota': [250, 1000],
    'out-of-coverage': [30, 60],
  });
  expect(await drafted(customer)).toEqual({
    activation: 200,
    cycle: 900,
    'over-quota': 250,
    'out-of-coverage': 30,
  });
});

it('an estimate includes the fees of orders that follow the one in use this month', async () => {
  test.clock.set(beginning);
  const customer = await makeCustomer('queue');
  const now = test.clock.now();
  const bundles = ['WEEK', 'YEAR', 'WEEK', 'WEEK'];
  await makeSimWithBundles(test, { orgId: customer.id, now, bundles });
  // WEEK from the 3rd, YEAR from the 10th, WEEK from the 30th.
  expect(await estimated(customer)).toEqual({
    activation: [100, 400],
    cycle: [300, 1500],
  });
  expect(await drafted(customer)).toEqual({ activation: 400, cycle: 1500 });
});
