import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { createBundle } from '../../bundle/index.ts';
import { bindTariff } from '../../price/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { BillRefused, holdBill, payBill, topUpDeposit } from './publication.service.ts';
import { reissueBill } from './reissue.service.ts';
import { setTerms } from './terms.service.ts';

const megabyte = 2 ** 20;
const published = '2026-11-02T16:30:00Z';
const draftedNext = '2026-11-30T16:30:00Z';

let test: TestApp;
let customers = 0;
let customer: { id: number; code: string };

const pool = () => test.database.pool;
const by = () => ({ actor: operatorActor(), at: test.clock.now() });
const order = () => ({ ...by(), reason: 'Made wrongly', tariff: null });

beforeAll(async () => {
  test = await testApp();
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({
      code: 'MONTH',
      type: 'postpaid bundle',
      quota_bytes: 10 * megabyte,
      overage_policy: 'billing',
      reset_cycle: 'month',
      duration_days: null,
    }),
  );
  const euro = { MONTH: { cycle: '5', over: '0.01' } };
  const versions = (bundles: object) => [{ starts_on: '2026-01-01', bundles }];
  await applyPrices(test, {
    tariffs: [
      tariff({ versions: versions(euro) }),
      tariff({ code: 'dollar', name: 'Dollar', currency: 'USD', versions: versions(euro) }),
      tariff({ code: 'empty', name: 'Empty', versions: versions({}) }),
      tariff({ code: 'other', name: 'Other', versions: versions({ MONTH: { cycle: '1', over: '0.1' } }) }),
    ],
    organisations: ['operator'],
  });
});
afterAll(() => test.close());
beforeEach(async () => {
  customers += 1;
  test.clock.set('2026-10-01T02:00:00Z');
  customer = await makeOrganisation(test, { code: `customer-${customers}`, parentCode: 'operator' });
});

const simOf = (orgId: number) =>
  makeSimWithBundles(test, { orgId, now: new Date('2026-10-01T02:00:00Z'), bundles: ['MONTH'] });
const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const late = (iccid: string) =>
  importUsage(test, iccid, [{ at: '2026-10-13T00:00:00Z', bytes: 12 * megabyte, country: 'DE' }]);
const bills = async (month = '2026-10') =>
  (
    await pool().query(
      `select type, currency, version, status, total_minor as total, credit_limit_minor as "limit",
         credit_left_minor as "left", opening_minor as opening, top_up_minor as "topUp",
         'BILL-' || $2 || '-' || lpad(serial::text, 5, '0') as number
       from bills where org_id = $1 and to_char(month_on, 'YYYY-MM') = $2 order by currency, type, version`,
      [customer.id, month],
    )
  ).rows;
const numberOf = async (month = '2026-10') => (await bills(month))[0]?.number as string;
const corrections = async (month: string) =>
  (
    await pool().query(
      `select b.currency, n.quantity, n.amount_minor as amount from bill_lines n join bills b on b.id = n.bill_id
       where b.org_id = $1 and to_char(b.month_on, 'YYYY-MM') = $2 and n.corrects_on is not null
       order by b.currency, n.line`,
      [customer.id, month],
    )
  ).rows;
const payIn = (amount: bigint, paidOn: string) =>
  topUpDeposit(pool(), customer, { ...by(), currency: 'EUR', amount, paidOn, reference: `IN ${paidOn}` });

describe('a new version', () => {
  it('names what its tariff has no price for', async () => {
    await simOf(customer.id);
    await at(published);
    expect(await reissueBill(pool(), await numberOf(), { ...order(), tariff: 'empty' })).toMatchObject({
      after: 0,
      dropped: [{ kind: 'cycle', of: 'MONTH', quantity: 1, amountMinor: 500 }],
    });
  });

  it('keeps the credit limit and the remaining credit', async () => {
    await setTerms(pool(), customer.code, { ...by(), terms: 'credit', creditLimit: 10_000 });
    await simOf(customer.id);
    await at(published);
    const tariffed = { ...order(), tariff: 'other' };
    expect(await reissueBill(pool(), await numberOf(), tariffed)).toMatchObject({ before: 500, after: 100 });
    expect(await bills()).toMatchObject([
      { version: 1, status: 'obsolete', limit: 10_000, left: 9500 },
      { version: 2, status: 'published', limit: 10_000, left: 9900 },
    ]);
  });

  it('is paid from the same deposit', async () => {
    await setTerms(pool(), customer.code, { ...by(), terms: 'predeposit', creditLimit: null });
    await payIn(2000n, '2026-10-01');
    await simOf(customer.id);
    await at(published);
    await reissueBill(pool(), await numberOf(), order());
    expect(await bills()).toMatchObject([
      { version: 1, status: 'obsolete', opening: 0, topUp: 2000 },
      { version: 2, status: 'paid', opening: 0, topUp: 2000 },
    ]);
  });

  describe('of a bill taken off a deposit', () => {
    beforeEach(async () => {
      await setTerms(pool(), customer.code, { ...by(), terms: 'predeposit', creditLimit: null });
      await payIn(2000n, '2026-10-01');
      await simOf(customer.id);
      await at(published);
      expect(await bills()).toMatchObject([{ status: 'paid', total: 500, opening: 0, topUp: 2000 }]);
    });
    const cheaper = () => ({ ...order(), tariff: 'other' });

    it('changes the opening balance of the next draft', async () => {
      await at(draftedNext);
      expect(await bills('2026-11')).toMatchObject([{ status: 'draft', opening: 1500 }]);
      expect(await reissueBill(pool(), await numberOf(), cheaper())).toMatchObject({
        before: 500,
        after: 100,
      });
      await at('2026-12-02T16:30:00Z');
      expect(await bills('2026-11')).toMatchObject([{ status: 'paid', total: 500, opening: 1900 }]);
    });

    it('is refused once a later bill opens with its closing balance, unless the total stays', async () => {
      await at('2026-12-02T16:30:00Z');
      expect(await bills('2026-11')).toMatchObject([{ status: 'paid', total: 500, opening: 1500 }]);
      await expect(reissueBill(pool(), await numberOf(), cheaper())).rejects.toThrow(
        'A later bill opens with the closing balance of BILL-2026-10-',
      );
      expect(await bills()).toMatchObject([{ version: 1, status: 'paid', total: 500 }]);
      expect(await reissueBill(pool(), await numberOf(), order())).toMatchObject({ version: 2, after: 500 });
      // November, which closed at 1,000, is the last one: its difference is carried by the draft of December.
      expect(await reissueBill(pool(), await numberOf('2026-11'), cheaper())).toMatchObject({ after: 100 });
      await at('2026-12-31T16:30:00Z');
      expect(await bills('2026-12')).toMatchObject([{ status: 'draft', opening: 1400 }]);
    });

    it('is refused while a later bill is held although its month is published', async () => {
      await at(draftedNext);
      await holdBill(pool(), await numberOf('2026-11'), { ...by(), reason: 'To be looked at' });
      await at('2026-12-02T16:30:00Z');
      expect(await bills('2026-11')).toMatchObject([{ status: 'draft', opening: 1500 }]);
      await expect(reissueBill(pool(), await numberOf(), cheaper())).rejects.toThrow(BillRefused);
    });
  });

  it('is refused if a later bill corrects its month, even if the terms have changed', async () => {
    const sim = await simOf(customer.id);
    await at(published);
    await late(sim.iccid);
    await setTerms(pool(), customer.code, { ...by(), terms: 'credit', creditLimit: 10_000 });
    await at(draftedNext);
    expect(await corrections('2026-11')).toMatchObject([{ quantity: 2, amount: 2 }]);
    await expect(reissueBill(pool(), await numberOf(), order())).rejects.toThrow(BillRefused);
  });

  it('leaves late usage in another currency to the next bill', async () => {
    const branch = await makeOrganisation(test, { code: `branch-${customers}`, parentCode: customer.code });
    await inTransaction(pool(), (tx) =>
      bindTariff(
        tx,
        { organisation: branch.code, tariff: 'dollar', from: '2026-10-01' },
        { ...by(), at: new Date('2026-09-30T02:00:00Z') },
      ),
    );
    await simOf(customer.id);
    const sim = await simOf(branch.id);
    await at(published);
    expect(await bills()).toMatchObject([{ currency: 'EUR' }, { currency: 'USD' }]);
    await late(sim.iccid);
    await reissueBill(pool(), await numberOf(), order());
    await at(draftedNext);
    expect(await corrections('2026-11')).toMatchObject([{ currency: 'USD', quantity: 2, amount: 2 }]);
  });

  it('by another tariff is corrected by that tariff', async () => {
    const sim = await simOf(customer.id);
    await at(published);
    await reissueBill(pool(), await numberOf(), { ...order(), tariff: 'other' });
    await late(sim.iccid);
    await at(draftedNext);
    expect(await corrections('2026-11')).toMatchObject([{ quantity: 2, amount: 20 }]);
  });
});

describe('a bill that the deposit does not cover', () => {
  beforeEach(async () => {
    await setTerms(pool(), customer.code, { ...by(), terms: 'predeposit', creditLimit: null });
    await payIn(300n, '2026-10-01');
    await simOf(customer.id);
    await at(published);
    expect(await bills()).toMatchObject([{ status: 'published', total: 500, topUp: 300 }]);
  });

  it('is paid by its shortfall, which counts once', async () => {
    const payment = { ...by(), amount: 150n, paidOn: '2026-11-03', reference: 'TX 1' };
    const number = await numberOf();
    expect((await payBill(pool(), number, payment)).status).toBe('published');
    const rest = { ...payment, amount: 50n, reference: 'TX 2' };
    expect((await payBill(pool(), number, rest)).status).toBe('paid');
    await at(draftedNext);
    expect(await bills('2026-11')).toMatchObject([{ opening: -200, topUp: 200, total: 500 }]);
  });

  it('is paid once enough has been paid into the deposit', async () => {
    await payIn(200n, '2026-11-03');
    expect(await bills()).toMatchObject([{ status: 'paid' }]);
    await at(draftedNext);
    expect(await bills('2026-11')).toMatchObject([{ opening: -200, topUp: 200, total: 500 }]);
  });
});
