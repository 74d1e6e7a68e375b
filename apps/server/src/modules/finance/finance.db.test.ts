import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { bundleOf } from '../../testing/bundles.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../testing/prices.ts';
import { operatorActor } from '../audit/index.ts';
import { createBundle } from '../bundle/index.ts';
import { bindTariff } from '../price/index.ts';
import { turnDueCycles } from '../usage/cycle-turns.service.ts';
import { findBilledCycle } from './bills/cycle.views.ts';
import { readSettlement } from './bills/settlement.views.ts';
import { checkBill } from './check/check.service.ts';
import { runDueBilling } from './finance.jobs.ts';
import { countUnpublished, listHeld } from './publication/held.views.ts';
import { setPayee } from './publication/payee.service.ts';
import { findPayeeOf } from './publication/payee.views.ts';
import { BillRefused, payBill, publishBill, topUpDeposit } from './publication/publication.service.ts';
import { reissueBill } from './publication/reissue.service.ts';
import { setTerms } from './publication/terms.service.ts';

const megabyte = 2 ** 20;

let test: TestApp;
let acme: { id: number; code: string };
let branch: { id: number; code: string };

const pool = () => test.database.pool;
const by = () => ({ actor: operatorActor(), at: test.clock.now() });

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  branch = await makeOrganisation(test, { code: 'branch', parentCode: 'acme' });
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
  await createBundle(
    pool(),
    bundleOf({
      code: 'PREPAID',
      type: 'prepaid basic',
      quota_bytes: 10 * megabyte,
      overage_policy: 'stop',
      reset_cycle: 'month',
      duration_days: null,
    }),
  );
  const bundles = {
    MONTH: { activation: '1', cycle: '4.99', over: '0.0153' },
    PREPAID: { activation: '3', cycle: '2' },
  };
  const versions = [{ starts_on: '2026-01-01', bundles, zones: { asia: '0.1', rest: '1' } }];
  const dear = [{ starts_on: '2026-01-01', bundles: { MONTH: { cycle: '1', over: '0.01' } } }];
  const other = tariff({ code: 'other', name: 'Other', versions: dear });
  await applyPrices(test, { tariffs: [tariff({ versions }), other], organisations: ['acme'] });
});
afterAll(() => test.close());

const bills = async () =>
  (
    await pool().query<{
      id: number;
      type: string;
      status: string;
      total: number;
      version: number;
      month: string;
    }>(
      `select id, type, status, total_minor as total, version, to_char(month_on, 'YYYY-MM') as month
       from bills order by month_on, type, version`,
    )
  ).rows;
const lines = async (month: string, type: string, version = 1) =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', o.code, n.kind, coalesce(n.bundle_code, n.zone_code), n.quantity, n.amount_minor,
         to_char(n.corrects_on, 'YYYY-MM')) as text
       from bill_lines n join bills b on b.id = n.bill_id join organisations o on o.id = n.org_id
       where to_char(b.month_on, 'YYYY-MM') = $1 and b.type = $2 and b.version = $3 order by n.org_id, n.line`,
      [month, type, version],
    )
  ).rows.map(({ text }) => text);
const numberOf = async (month: string, type: string) =>
  (
    await pool().query<{ number: string }>(
      `select 'BILL-' || $1 || '-' || lpad(serial::text, 5, '0') as number from bills
       where to_char(month_on, 'YYYY-MM') = $1 and type = $2 limit 1`,
      [month, type],
    )
  ).rows[0]?.number as string;
const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
};
const due = () => runDueBilling({ pool: pool(), clock: test.clock });
const numberOfOrg = async (orgId: number) =>
  (
    await pool().query<{ number: string }>(
      `select 'BILL-' || to_char(month_on, 'YYYY-MM') || '-' || lpad(serial::text, 5, '0') as number from bills where org_id = $1`,
      [orgId],
    )
  ).rows[0]?.number as string;

const payee = {
  name: 'Operator Ltd.',
  address: '1 Mast Road',
  country: 'GB',
  registration: '123',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFF',
  bank: 'Bank',
};
const payees = async () => {
  const { rows } = await pool().query<{ id: number }>('select id from bills order by id');
  return Promise.all(rows.map(({ id }) => findPayeeOf(pool(), id)));
};

/** What a SIM's line beyond the quota opens into: all charges of its cycle. */
const chargedOf = async (month: string, iccid: string) => {
  const { rows } = await pool().query<{ billId: number; line: number; at: Date }>(
    `select c.bill_id as "billId", c.line, c.cycle_started_at as at
     from bill_charges c join bill_lines n using (bill_id, line) join bills b on b.id = c.bill_id
     join sims s on s.id = c.sim_id
     where to_char(b.month_on, 'YYYY-MM') = $1 and s.iccid = $2 and n.kind = 'over-quota'`,
    [month, iccid],
  );
  const [{ at: cycle, ...wanted }] = rows as [(typeof rows)[number]];
  const opened = await findBilledCycle(pool(), {
    ...wanted,
    iccid,
    cycleAt: cycle.toISOString(),
    now: test.clock.now(),
  });
  return opened?.charged.map((one) => [one.month, one.correction, one.quantity]);
};

describe('the bills of a month', () => {
  it('are drafted on the 1st, recomputed until the 3rd, published, and corrected by the next month', async () => {
    const begun = new Date('2026-10-01T02:00:00Z');
    const own = await makeSimWithBundles(test, { orgId: acme.id, now: begun, bundles: ['MONTH'] });
    const below = await makeSimWithBundles(test, { orgId: branch.id, now: begun, bundles: ['MONTH'] });
    await makeSimWithBundles(test, { orgId: branch.id, now: begun, bundles: ['PREPAID'] });
    await at('2026-10-20T00:00:00Z');
    await importUsage(test, own.iccid, [
      { at: '2026-10-10T00:00:00Z', bytes: 21 * megabyte + 1, country: 'DE' },
    ]);
    await importUsage(test, below.iccid, [
      { at: '2026-10-11T00:00:00Z', bytes: 12 * megabyte, country: 'DE' },
    ]);
    // 00:30 on the 1st in UTC+8.
    await at('2026-10-31T16:30:00Z');
    await due();
    expect(await lines('2026-10', 'post-payment')).toEqual([
      'acme activation MONTH 1 100',
      'acme cycle MONTH 1 499',
      'acme over-quota MONTH 12 18',
      'branch activation MONTH 1 100',
      'branch cycle MONTH 1 499',
      'branch over-quota MONTH 2 3',
    ]);
    expect(await lines('2026-10', 'advance')).toEqual([
      'branch activation PREPAID 1 300',
      'branch cycle PREPAID 1 200',
    ]);
    expect(await bills()).toMatchObject([
      { type: 'advance', status: 'draft', total: 500 },
      { type: 'post-payment', status: 'draft', total: 1219 },
    ]);

    expect(await payees()).toEqual([null, null]);
    await setPayee(pool(), payee, by());
    expect(await payees()).toEqual([payee, payee]);

    // Too late for the cycle, in time for the bill.
    await at('2026-11-01T16:30:00Z');
    await importUsage(test, own.iccid, [{ at: '2026-10-12T00:00:00Z', bytes: megabyte, country: 'DE' }]);
    await due();
    expect((await bills()).map(({ total }) => total)).toEqual([500, 1221]);
    await at('2026-11-02T16:30:00Z');
    await Promise.all([due(), due()]);
    expect(await bills()).toMatchObject([
      { type: 'advance', status: 'published', total: 500 },
      { type: 'post-payment', status: 'published', total: 1221 },
    ]);
    const number = await numberOf('2026-10', 'post-payment');
    expect(await checkBill(pool(), number, { now: test.clock.now() })).toMatchObject({
      mismatches: [],
      late: 0,
      lines: 6,
    });
    const issuedWith = await payees();
    await setPayee(pool(), { ...payee, iban: 'GB82WEST12345698765432' }, by());
    expect([issuedWith, await payees()]).toEqual([
      [payee, payee],
      [payee, payee],
    ]);

    // Later than the bill: the check counts it, and the next bill charges the difference.
    await importUsage(test, below.iccid, [
      { at: '2026-10-13T00:00:00Z', bytes: 3 * megabyte, country: 'DE' },
    ]);
    expect(await checkBill(pool(), number, { now: test.clock.now() })).toMatchObject({
      mismatches: [],
      late: 1,
    });
    await at('2026-11-30T16:30:00Z');
    await due();
    await due();
    expect(await lines('2026-11', 'post-payment')).toEqual([
      'acme cycle MONTH 1 499',
      'branch cycle MONTH 1 499',
      'branch over-quota MONTH 3 5 2026-10',
    ]);
    expect(await chargedOf('2026-11', below.iccid)).toEqual([
      ['2026-10', false, 2],
      ['2026-11', true, 3],
    ]);
    expect(await chargedOf('2026-10', below.iccid)).toEqual([['2026-10', false, 2]]);
    await at('2026-12-02T16:30:00Z');
    await due();
    expect(await checkBill(pool(), number, { now: test.clock.now() })).toMatchObject({
      mismatches: [],
      late: 0,
      lines: 6,
    });
    await at('2026-12-31T16:30:00Z');
    await due();
    expect(await lines('2026-12', 'post-payment')).toEqual([
      'acme cycle MONTH 1 499',
      'branch cycle MONTH 1 499',
    ]);
  });

  it('fail their check when any stored figure was altered', async () => {
    const number = await numberOf('2026-11', 'post-payment');
    const found = async () => (await checkBill(pool(), number, { now: test.clock.now() }))?.mismatches;
    const bill = `(select id from bills where month_on = '2026-11-01' and type = 'post-payment')`;
    const altered = async (text: string, back: string) => {
      await pool().query(text);
      const mismatches = await found();
      await pool().query(back);
      return mismatches;
    };
    const line = (set: string) => `update bill_lines set ${set} where bill_id = ${bill} and line = 1`;
    const of = (table: string, set: string) => `update ${table} set ${set} where bill_id = ${bill}`;
    expect(await found()).toEqual([]);
    expect(await altered(line('quantity = quantity + 1'), line('quantity = quantity - 1'))).toMatchObject([
      { figure: 'lines', item: null, billed: '0', computed: '1' },
      { figure: 'amount', item: { kind: 'cycle' }, billed: '499', computed: '998' },
      { figure: 'quantity', item: { kind: 'cycle' }, billed: '2', computed: '1' },
    ]);
    // Its sum is altered with it: only the line's arithmetic shows it.
    const both = (by: number) =>
      `with n as (${line(`amount_minor = amount_minor + ${by}`)} returning bill_id)
       update bills set total_minor = total_minor + ${by} where id = (select bill_id from n)`;
    expect(await altered(both(10), both(-10))).toMatchObject([
      { figure: 'amount', billed: '509', computed: '499' },
    ]);
    const total = (by: number) => `update bills set total_minor = total_minor + ${by} where id = ${bill}`;
    expect(await altered(total(1), total(-1))).toMatchObject([{ figure: 'total' }]);
    expect(
      await altered(line('price_micros = price_micros * 2'), line('price_micros = price_micros / 2')),
    ).not.toEqual([]);
    const sims = (by: number) => of('bill_sims', `amount_micros = amount_micros + ${by}`);
    expect(await altered(sims(1), sims(-1))).toMatchObject([{ figure: 'sims' }]);
    const charges = (by: number) => of('bill_charges', `quantity = quantity + ${by}`);
    expect(await altered(charges(1), charges(-1))).not.toEqual([]);
    expect(await found()).toEqual([]);
  });

  it('are replaced by a version with another tariff, unless a later bill corrects them', async () => {
    const order = { ...by(), reason: 'Charged by the wrong tariff', tariff: 'other' };
    await expect(reissueBill(pool(), await numberOf('2026-10', 'post-payment'), order)).rejects.toThrow(
      BillRefused,
    );
    const number = await numberOf('2026-11', 'post-payment');
    expect(await reissueBill(pool(), number, order)).toEqual({
      version: 2,
      before: 1003,
      after: 205,
      dropped: [],
    });
    // The correction is copied unchanged.
    expect(await lines('2026-11', 'post-payment', 2)).toEqual([
      'acme cycle MONTH 1 100',
      'branch cycle MONTH 1 100',
      'branch over-quota MONTH 3 5 2026-10',
    ]);
    expect(
      (await bills()).filter(({ month, type }) => month === '2026-11' && type === 'post-payment'),
    ).toMatchObject([
      { version: 1, status: 'obsolete', total: 1003 },
      { version: 2, status: 'published', total: 205 },
    ]);
    expect((await checkBill(pool(), number, { now: test.clock.now() }))?.mismatches).toEqual([]);
  });

  it('are paid by recorded payments, each reference once', async () => {
    const number = await numberOf('2026-11', 'post-payment');
    const payment = { ...by(), amount: 200n, paidOn: '2026-12-10', reference: 'TX 1' };
    expect(await payBill(pool(), number, payment)).toEqual({ status: 'published', isNew: true });
    expect(await payBill(pool(), number, payment)).toEqual({ status: 'published', isNew: false });
    await expect(payBill(pool(), number, { ...payment, amount: 5n })).rejects.toThrow(BillRefused);
    const rest = { ...payment, amount: 5n, reference: 'TX 2' };
    expect((await payBill(pool(), number, rest)).status).toBe('paid');
    const draft = await numberOf('2026-12', 'post-payment');
    await expect(payBill(pool(), draft, { ...payment, reference: 'TX 3' })).rejects.toThrow(BillRefused);
  });

  it('are taken off a deposit, and held while a cycle has no tariff, until the operator releases them', async () => {
    const org = await makeOrganisation(test, { code: 'deposits', parentCode: 'operator' });
    await makeSimWithBundles(test, {
      orgId: org.id,
      now: new Date('2026-12-31T16:00:00Z'),
      bundles: ['MONTH'],
    });
    await setTerms(pool(), 'deposits', { ...by(), terms: 'predeposit', creditLimit: null });
    test.clock.set('2027-01-05T00:00:00Z');
    const topUp = { ...by(), currency: 'EUR', amount: 1000n, paidOn: '2027-01-05', reference: 'TX 1' };
    expect(await topUpDeposit(pool(), org, topUp)).toBe(true);
    expect(await topUpDeposit(pool(), org, topUp)).toBe(false);
    await at('2027-02-02T16:30:00Z');
    const unpublished = (now: string) => countUnpublished(pool(), new Date(now));
    // Drafts of December; neither customer has one of January.
    expect(await unpublished('2027-02-02T15:59:59Z')).toBe(2);
    expect(await unpublished('2027-02-02T16:00:00Z')).toBe(2 + 2);
    await due();
    const held = async () =>
      (
        await pool().query(
          `select status, held_reason, opening_minor, top_up_minor, total_minor from bills where org_id = $1 order by id`,
          [org.id],
        )
      ).rows;
    expect(await held()).toEqual([
      { status: 'draft', held_reason: 'no-tariff', opening_minor: 0, top_up_minor: 1000, total_minor: 0 },
    ]);
    const number = await numberOfOrg(org.id);
    const draft = { number, organisation: 'deposits', currency: 'EUR', total_minor: 0 };
    expect(await listHeld(pool(), 10)).toContainEqual({ ...draft, reason: 'no-tariff' });
    expect(await unpublished('2027-02-02T15:59:59Z')).toBe(0);
    expect(await unpublished('2027-02-02T16:00:00Z')).toBe(1);
    expect(await publishBill(pool(), number, by())).toBe('published');
    expect((await listHeld(pool(), 10)).map((one) => one.number)).not.toContain(number);
    expect(await held()).toMatchObject([{ status: 'paid', held_reason: null }]);
    expect(await unpublished('2027-02-02T16:00:00Z')).toBe(0);
  });

  it('on credit reduce the remaining limit together with bills in advance', async () => {
    const org = await makeOrganisation(test, { code: 'credits', parentCode: 'operator' });
    await inTransaction(pool(), (tx) =>
      bindTariff(tx, { organisation: org.code, tariff: 'standard', from: '2027-02-01' }, by()),
    );
    const begun = new Date('2027-02-10T02:00:00Z');
    for (const bundle of ['MONTH', 'PREPAID'])
      await makeSimWithBundles(test, { orgId: org.id, now: begun, bundles: [bundle] });
    await setTerms(pool(), org.code, { ...by(), terms: 'credit', creditLimit: 10_000 });
    await at('2027-03-02T16:30:00Z');
    await due();
    const { rows } = await pool().query(
      `select type, total_minor as total, credit_left_minor as "left" from bills where org_id = $1 order by type`,
      [org.id],
    );
    expect(rows).toEqual([
      { type: 'advance', total: 500, left: null },
      { type: 'credit', total: 599, left: 10_000 - 599 - 500 },
    ]);
    const { currencies } = await readSettlement(pool(), { orgId: org.id, now: test.clock.now() });
    expect(currencies.map(({ open_minor }) => 10_000 - open_minor)).toEqual([10_000 - 599 - 500]);
  });
});
