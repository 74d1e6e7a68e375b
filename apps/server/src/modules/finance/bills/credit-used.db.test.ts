import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, tariff } from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { createBundle } from '../../bundle/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { computeDueEstimates } from '../estimate/estimate.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { payBill } from '../publication/publication.service.ts';
import { setTerms } from '../publication/terms.service.ts';
import { findBills } from './bills.views.ts';
import { readSettlement } from './settlement.views.ts';

let test: TestApp;
let customer: { id: number; code: string };

const pool = () => test.database.pool;
const by = () => ({ actor: operatorActor(), at: test.clock.now() });
const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
};
const estimate = () => computeDueEstimates({ pool: pool(), now: test.clock.now() });
const bill = () => runDueBilling({ pool: pool(), clock: test.clock });

/** Each month costs 5.00. */
const credit = async () =>
  (await readSettlement(pool(), { orgId: customer.id, now: test.clock.now() })).currencies.map(
    ({ currency, open_minor, drafts_minor, undrafted, credit_used_minor: used }) => ({
      [currency]: used,
      of: [open_minor, drafts_minor, undrafted && `${undrafted.month} ${undrafted.so_far_minor}`],
    }),
  );

beforeAll(async () => {
  test = await testApp();
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({ code: 'MONTH', type: 'postpaid bundle', reset_cycle: 'month', duration_days: null }),
  );
  const versions = [{ starts_on: '2026-01-01', bundles: { MONTH: { cycle: '5' } } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
  test.clock.set('2026-10-01T02:00:00Z');
  customer = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makeSimWithBundles(test, { orgId: customer.id, now: test.clock.now(), bundles: ['MONTH'] });
});
afterAll(() => test.close());

it('without a limit there is no credit to use', async () => {
  await estimate();
  expect(await credit()).toEqual([]);
});

it('a month counts once, as estimate, draft, bill and payment follow one another', async () => {
  await setTerms(pool(), customer.code, { ...by(), terms: 'credit', creditLimit: 10_000 });
  // Before the first bill.
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2026-10 500'] }]);
  await at('2026-10-31T15:40:00Z');
  await estimate();
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2026-10 500'] }]);
  // 00:20 on the 1st (UTC+8): the job that makes drafts has not run yet.
  await at('2026-10-31T16:20:00Z');
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2026-10 500'] }]);
  // Nor has it when the estimates are next due.
  await at('2026-10-31T22:40:00Z');
  await estimate();
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2026-10 500'] }]);
  await bill();
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 500, null] }]);
  await estimate();
  expect(await credit()).toEqual([{ EUR: 1000, of: [0, 500, '2026-11 500'] }]);
  await at('2026-11-02T16:30:00Z');
  await bill();
  expect(await credit()).toEqual([{ EUR: 1000, of: [500, 0, '2026-11 500'] }]);
  const { rows } = await pool().query<{ id: number }>('select id from bills');
  const [issued] = await findBills(pool(), {
    orgId: customer.id,
    ids: rows.map(({ id }) => id),
    now: test.clock.now(),
  });
  await payBill(pool(), issued?.number ?? '', {
    ...by(),
    amount: 500n,
    paidOn: '2026-11-03',
    reference: 'TX 1',
  });
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2026-11 500'] }]);
});

it('an estimate from before the month that has no draft does not hold up the next ones', async () => {
  await at('2027-01-31T16:20:00Z');
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2026-11 500'] }]);
  await estimate();
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2027-02 500'] }]);
});

it('a month that can’t be drafted holds up the estimate of the running one only until its day of issue', async () => {
  await at('2027-03-02T22:40:00Z');
  await estimate();
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2027-02 500'] }]);
  await at('2027-03-03T16:40:00Z');
  await estimate();
  expect(await credit()).toEqual([{ EUR: 500, of: [0, 0, '2027-03 500'] }]);
});

it('a limit applies to its currency alone', async () => {
  const limit = { creditLimit: 1_000_000, creditCurrency: 'JPY' };
  await setTerms(pool(), customer.code, { ...by(), terms: 'credit', ...limit });
  await bill();
  const { rows } = await pool().query(
    `select distinct credit_limit_minor as limit, credit_left_minor as left from bills
     where type = 'credit' and month_on = '2027-02-01'`,
  );
  expect(rows).toEqual([{ limit: null, left: null }]);
  const shown = await readSettlement(pool(), { orgId: customer.id, now: test.clock.now() });
  expect(shown).toMatchObject({ credit_limit_minor: 1_000_000, credit_limit_currency: 'JPY' });
  expect(
    shown.currencies.map((one) => [one.currency, one.credit_limit_minor, one.credit_used_minor]),
  ).toEqual([
    ['EUR', null, null],
    ['JPY', 1_000_000, 0],
  ]);
});
