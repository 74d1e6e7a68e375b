import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { waitForBlockedStatements } from '../../../testing/locks.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, tariff } from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { createBundle } from '../../bundle/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { findBills } from '../bills/bills.views.ts';
import { readSettlement } from '../bills/settlement.views.ts';
import { findCustomer } from '../customers.views.ts';
import { draftMonth } from '../drafts/draft.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { BillRefused, payBill, publishMonth, topUpDeposit } from './publication.service.ts';
import { reissueBill } from './reissue.service.ts';
import { setTerms } from './terms.service.ts';

let test: TestApp;
let customers = 0;
let customer: { id: number; code: string };

const pool = () => test.database.pool;
const by = () => ({ actor: operatorActor(), at: test.clock.now() });

beforeAll(async () => {
  test = await testApp();
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({ code: 'MONTH', type: 'postpaid bundle', reset_cycle: 'month', duration_days: null }),
  );
  const versions = (cycle: string) => [{ starts_on: '2026-01-01', bundles: { MONTH: { cycle } } }];
  await applyPrices(test, {
    tariffs: [
      tariff({ versions: versions('5') }),
      tariff({ code: 'other', name: 'Other', versions: versions('1') }),
      tariff({ code: 'dear', name: 'Dear', versions: versions('6') }),
    ],
    organisations: ['operator'],
  });
});
afterAll(() => test.close());
beforeEach(async () => {
  customers += 1;
  test.clock.set('2026-10-01T02:00:00Z');
  customer = await makeOrganisation(test, { code: `customer-${customers}`, parentCode: 'operator' });
  await makeSimWithBundles(test, { orgId: customer.id, now: test.clock.now(), bundles: ['MONTH'] });
});

const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const october = '2026-11-02T16:30:00Z';
const november = '2026-12-02T16:30:00Z';
const december = '2027-01-02T16:30:00Z';
const onDeposit = () => setTerms(pool(), customer.code, { ...by(), terms: 'predeposit', creditLimit: null });

const bills = async () => {
  const { rows } = await pool().query<{ id: number }>(
    "select id from bills where org_id = $1 and status <> 'obsolete' order by month_on",
    [customer.id],
  );
  const ids = rows.map(({ id }) => id);
  return findBills(pool(), { orgId: customer.id, ids, now: test.clock.now() });
};
const numberOf = async (month: string) =>
  (await bills()).find((bill) => bill.month === month)?.number as string;
const states = async () =>
  (await bills()).map(({ month, status, to_pay_minor: open }) => `${month} ${status} ${open}`);
const deposits = async () =>
  (await bills()).map(({ month, opening_minor, top_up_minor, total_minor, closing_minor }) =>
    [month, opening_minor, top_up_minor, total_minor, closing_minor].join(' '),
  );
const settled = async () =>
  (await readSettlement(pool(), { orgId: customer.id, now: test.clock.now() })).currencies[0];
const pay = async (month: string, amount: bigint, reference: string, paidOn = '2026-11-02') =>
  (await payBill(pool(), await numberOf(month), { ...by(), amount, paidOn, reference })).status;
const payIn = (amount: bigint, reference: string, paidOn: string) =>
  topUpDeposit(pool(), customer, { ...by(), currency: 'EUR', amount, paidOn, reference });

it('a credit limit requires the terms credit', async () => {
  const order = { ...by(), terms: 'post-payment', creditLimit: 5000 } as const;
  await expect(setTerms(pool(), customer.code, order)).rejects.toThrow('A credit limit applies only');
  await setTerms(pool(), customer.code, { ...order, terms: 'credit' });
  expect(await setTerms(pool(), customer.code, { ...by(), terms: 'credit' })).toEqual({
    minor: 5000,
    currency: null,
  });
  expect(await setTerms(pool(), customer.code, { ...by(), terms: 'credit', creditLimit: null })).toBeNull();
  await setTerms(pool(), customer.code, { ...order, terms: 'credit' });
  await setTerms(pool(), customer.code, { ...by(), terms: 'post-payment' });
  expect(
    (await readSettlement(pool(), { orgId: customer.id, now: test.clock.now() })).credit_limit_minor,
  ).toBeNull();
});

it('drafts of all months that are over are totalled, whichever year is shown', async () => {
  await at('2026-10-31T16:30:00Z');
  const drafts = async (year?: number) =>
    (await readSettlement(pool(), { orgId: customer.id, now: test.clock.now(), year })).currencies.map(
      ({ open_minor, drafts_minor }) => [open_minor, drafts_minor],
    );
  expect(await drafts()).toEqual([[0, 500]]);
  await pool().query("update bills set held_reason = 'Disputed' where org_id = $1", [customer.id]);
  await at('2026-11-30T16:30:00Z');
  expect(await drafts()).toEqual([[0, 1000]]);
  expect(await drafts(2027)).toEqual([[0, 1000]]);
  // Still running: what it has cost so far is in its estimate.
  const found = await findCustomer(pool(), customer.id);
  if (!found) throw new Error('The customer was not made');
  await draftMonth(pool(), { customer: found, month: '2026-12', now: test.clock.now() });
  expect(await drafts()).toEqual([[0, 1000]]);
  await at(november);
  expect(await drafts()).toEqual([[500, 500]]);
});

describe('a payment', () => {
  it('that is reversed reopens its bill', async () => {
    await at(october);
    expect(await pay('2026-10', 500n, 'TX 1')).toBe('paid');
    expect(await pay('2026-10', -500n, 'TX 1, taken back')).toBe('published');
    expect(await states()).toEqual(['2026-10 published 500']);
    expect(await settled()).toMatchObject({ open_minor: 500 });
    expect((await bills())[0]?.paid_on).toBeNull();
    expect(await pay('2026-10', 500n, 'TX 2')).toBe('paid');
  });

  it('that exceeds the bill can be partly reversed without reopening it', async () => {
    await at(october);
    await pay('2026-10', 700n, 'TX 1');
    expect(await pay('2026-10', -200n, 'TX 2')).toBe('paid');
    expect(await states()).toEqual(['2026-10 paid 0']);
  });

  it('that exceeds the bill, or a cheaper new version of it, is a credit balance for other bills', async () => {
    await at(october);
    await pay('2026-10', 700n, 'TX 1');
    expect(await settled()).toMatchObject({ open_minor: 0, credit_balance_minor: 200 });
    const cheaper = { ...by(), reason: 'Wrong tariff', tariff: 'other' };
    await reissueBill(pool(), await numberOf('2026-10'), cheaper);
    expect(await settled()).toMatchObject({ open_minor: 0, credit_balance_minor: 600 });
    await at(november);
    expect(await settled()).toMatchObject({ open_minor: 500, credit_balance_minor: 600 });
    expect(await pay('2026-10', -500n, 'TX 1, for November')).toBe('paid');
    expect(await pay('2026-11', 500n, 'TX 1, from October')).toBe('paid');
    expect(await settled()).toMatchObject({ open_minor: 0, credit_balance_minor: 100 });
  });

  it('that was recorded last, but made before others, pays its bill on the day of the latest', async () => {
    await at(october);
    await at('2026-11-20T02:00:00Z');
    expect(await pay('2026-10', 300n, 'TX 1', '2026-11-15')).toBe('published');
    expect(await pay('2026-10', 200n, 'TX 2', '2026-11-05')).toBe('paid');
    expect((await bills())[0]?.paid_on).toBe('2026-11-15');
  });

  it('that is already recorded can be repeated, but not for another day', async () => {
    await at(october);
    const payment = { amount: 200n, reference: 'TX 1' };
    const number = await numberOf('2026-10');
    await payBill(pool(), number, { ...by(), ...payment, paidOn: '2026-11-02' });
    const again = { ...by(), ...payment };
    expect(await payBill(pool(), number, again)).toMatchObject({ isNew: false });
    await expect(payBill(pool(), number, { ...again, paidOn: '2026-11-03' })).rejects.toThrow(
      'The payment with reference TX 1 is already recorded for 2026-11-02',
    );
  });

  it('must not be dated in the future', async () => {
    await onDeposit();
    await payIn(100n, 'IN 1', '2026-10-01');
    await at(october);
    await expect(pay('2026-10', 500n, 'TX 1', '2026-11-04')).rejects.toThrow(BillRefused);
    await expect(payIn(100n, 'IN 2', '2027-10-05')).rejects.toThrow(BillRefused);
    expect(await settled()).toMatchObject({ deposit_minor: -400 });
    // Today in UTC+8, the day before in UTC.
    expect(await pay('2026-10', 400n, 'TX 1', '2026-11-03')).toBe('paid');
  });
});

describe('a deposit', () => {
  beforeEach(onDeposit);

  it('starts each month with the previous closing balance, also if a payment was recorded later', async () => {
    await payIn(700n, 'IN 1', '2026-10-01');
    await at(october);
    expect(await deposits()).toEqual(['2026-10 0 700 500 200']);
    await payIn(150n, 'IN 2', '2026-10-31');
    await payIn(50n, 'IN 3', '2026-11-03');
    await at(november);
    expect(await deposits()).toEqual(['2026-10 0 700 500 200', '2026-11 200 200 500 -100']);
    await at(december);
    expect((await deposits()).at(-1)).toBe('2026-12 -100 0 500 -600');
    expect(await settled()).toMatchObject({ deposit_minor: -600, open_minor: 600 });
  });

  it('without payments has a negative balance equal to its bills', async () => {
    await at(october);
    await at(november);
    expect(await deposits()).toEqual(['2026-10 0 0 500 -500', '2026-11 -500 0 500 -1000']);
    expect(await settled()).toMatchObject({ deposit_minor: -1000, open_minor: 1000 });
  });

  it('starts with the closing balance of the reissued previous bill', async () => {
    await payIn(700n, 'IN 1', '2026-10-01');
    await at(october);
    const order = { ...by(), reason: 'Wrong tariff', tariff: 'other' };
    await reissueBill(pool(), await numberOf('2026-10'), order);
    await at(november);
    expect(await deposits()).toEqual(['2026-10 0 700 100 600', '2026-11 600 0 500 100']);
  });

  it('leaves the current shortfall to pay, equally in the list and in the open total', async () => {
    await payIn(300n, 'IN 1', '2026-10-01');
    await at(october);
    await at(november);
    expect(await states()).toEqual(['2026-10 published 200', '2026-11 published 500']);
    await payIn(150n, 'IN 2', '2026-12-01');
    expect(await states()).toEqual(['2026-10 published 50', '2026-11 published 500']);
    expect(await settled()).toMatchObject({ deposit_minor: -550, open_minor: 550 });
  });

  it('pays the oldest bill first, whichever bill a payment was recorded for', async () => {
    await at(october);
    await at(november);
    expect(await pay('2026-11', 500n, 'TX 1', '2026-12-01')).toBe('published');
    expect(await states()).toEqual(['2026-10 paid 0', '2026-11 published 500']);
    expect(await pay('2026-10', 500n, 'TX 2', '2026-12-01')).toBe('paid');
    expect(await states()).toEqual(['2026-10 paid 0', '2026-11 paid 0']);
  });

  it('that a more expensive reissue exceeds leaves the reissue unpaid, and paid bills paid', async () => {
    await payIn(1000n, 'IN 1', '2026-10-01');
    await at(october);
    await at(november);
    await reissueBill(pool(), await numberOf('2026-11'), { ...by(), reason: 'Wrong tariff', tariff: 'dear' });
    expect(await states()).toEqual(['2026-10 paid 0', '2026-11 published 100']);
    expect(await settled()).toMatchObject({ deposit_minor: -100, open_minor: 100 });
  });

  it('pays a bill on the day of the latest payment, whichever was recorded last', async () => {
    await at(october);
    await at('2026-11-20T02:00:00Z');
    await payIn(300n, 'IN 1', '2026-11-15');
    await payIn(200n, 'IN 2', '2026-11-05');
    expect((await bills())[0]).toMatchObject({ status: 'paid', paid_on: '2026-11-15' });
  });

  it('that is withdrawn reopens the latest bills', async () => {
    await payIn(1200n, 'IN 1', '2026-10-01');
    await at(october);
    await at(november);
    expect(await states()).toEqual(['2026-10 paid 0', '2026-11 paid 0']);
    await payIn(-300n, 'IN 1, in part', '2026-12-02');
    expect(await states()).toEqual(['2026-10 paid 0', '2026-11 published 100']);
    expect(await settled()).toMatchObject({ deposit_minor: -100, open_minor: 100 });
  });

  const publishOctober = async () => {
    const found = await findCustomer(pool(), customer.id);
    if (!found) throw new Error('The customer was not made');
    return publishMonth(pool(), { customer: found, month: '2026-10', now: test.clock.now() });
  };
  const topUp = () => payIn(500n, 'IN 1', '2026-10-31');

  it.each([
    ['a bill that is being published when it is topped up', 'outbox', publishOctober, topUp],
    ['a bill that is published while it is being topped up', 'audit_entries', topUp, publishOctober],
  ])('covers %s', async (_, written, first, second) => {
    test.clock.set(october);
    await turnDueCycles({ pool: pool(), now: test.clock.now() });
    const lock = await pool().connect();
    await lock.query(`begin; lock table ${written} in exclusive mode`);
    const begun = first();
    await waitForBlockedStatements(pool());
    const next = second();
    await Promise.race([next, waitForBlockedStatements(pool(), 2)]);
    await lock.query('rollback');
    lock.release();
    await Promise.all([begun, next]);
    expect(await states()).toEqual(['2026-10 paid 0']);
  });
});
