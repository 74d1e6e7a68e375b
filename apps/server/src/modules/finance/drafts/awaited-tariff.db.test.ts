import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, tariff } from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { createBundle } from '../../bundle/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { holdBill, publishBill, topUpDeposit } from '../publication/publication.service.ts';
import { reissueBill } from '../publication/reissue.service.ts';
import { setTerms } from '../publication/terms.service.ts';

let test: TestApp;
let org: { id: number; code: string };
let made = 0;

const pool = () => test.database.pool;
const by = () => ({ actor: operatorActor(), at: test.clock.now() });

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({ code: 'MONTH', type: 'postpaid bundle', reset_cycle: 'month', duration_days: null }),
  );
  const versions = [{ starts_on: '2026-01-01', bundles: { MONTH: { activation: '1', cycle: '4.99' } } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: [] });
});
beforeEach(async () => {
  test.clock.set('2026-10-01T00:00:00Z');
  made += 1;
  org = await makeOrganisation(test, { code: `customer-${made}`, parentCode: 'operator' });
  await makeSimWithBundles(test, {
    orgId: org.id,
    now: new Date('2026-10-01T02:00:00Z'),
    bundles: ['MONTH'],
  });
});
afterAll(() => test.close());

const runAt = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const bind = () =>
  pool().query(
    `insert into org_tariffs (org_id, starts_on, tariff_id) select $1, '2026-01-01', id from tariffs limit 1`,
    [org.id],
  );
const bills = async () =>
  (
    await pool().query<{ number: string; month: string; status: string; held: string | null; total: number }>(
      `select 'BILL-' || to_char(month_on, 'YYYY-MM') || '-' || lpad(serial::text, 5, '0') as number,
         to_char(month_on, 'YYYY-MM') as month, status, held_reason as held, total_minor as total
       from bills where org_id = $1 order by month_on`,
      [org.id],
    )
  ).rows.map(({ number, ...bill }) => ({ number, bill: Object.values(bill).join(' ') }));
const told = async () => (await bills()).map(({ bill }) => bill);

describe('a month whose cycles have no tariff', () => {
  it('is billed once they have one, even after its due date', async () => {
    await runAt('2026-11-02T16:30:00Z');
    await runAt('2026-11-03T16:30:00Z');
    expect(await told()).toEqual([]);
    await bind();
    await runAt('2026-11-03T17:30:00Z');
    expect(await told()).toEqual([]);
    await runAt('2026-11-04T16:30:00Z');
    expect(await told()).toEqual(['2026-10 published  599']);
    await runAt('2026-12-02T16:30:00Z');
    expect(await told()).toEqual(['2026-10 published  599', '2026-11 published  499']);
  });

  it('is billed before the next month, when the tariff is added in that month', async () => {
    await runAt('2026-11-02T16:30:00Z');
    expect(await told()).toEqual([]);
    await bind();
    await runAt('2026-12-02T16:30:00Z');
    expect(await told()).toEqual(['2026-10 published  599', '2026-11 published  499']);
  });

  it('is no longer computed once the operator releases its bill', async () => {
    await setTerms(pool(), org.code, { ...by(), terms: 'predeposit', creditLimit: null });
    const topUp = { currency: 'EUR', amount: 1000n, paidOn: '2026-10-01', reference: 'TX 1' };
    await topUpDeposit(pool(), org, { ...by(), ...topUp });
    await runAt('2026-11-02T16:30:00Z');
    expect(await told()).toEqual(['2026-10 draft no-tariff 0']);
    const [held] = await bills();
    expect(await publishBill(pool(), held?.number ?? '', by())).toBe('published');
    await bind();
    await runAt('2026-11-04T16:30:00Z');
    expect(await told()).toEqual(['2026-10 paid  0']);
  });
});

describe('a draft that the operator holds', () => {
  it('stays held when it is recomputed and its month is published', async () => {
    await bind();
    await runAt('2026-10-31T16:30:00Z');
    const [draft] = await bills();
    await holdBill(pool(), draft?.number ?? '', { ...by(), reason: 'A question of the customer' });
    await runAt('2026-11-02T16:30:00Z');
    expect(await told()).toEqual(['2026-10 draft A question of the customer 599']);
    const reissue = { ...by(), reason: 'Wrong tariff', tariff: null };
    await expect(reissueBill(pool(), draft?.number ?? '', reissue)).rejects.toThrow(
      'is held, and its month is published: publish it, then reissue it',
    );
    expect(await publishBill(pool(), draft?.number ?? '', by())).toBe('published');
  });
});
