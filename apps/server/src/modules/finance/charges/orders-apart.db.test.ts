import { afterAll, beforeAll, expect, it } from 'vitest';
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
import { createBundle } from '../../bundle/index.ts';
import { endOrders, endOrdersInUse } from '../../bundle/lifecycle/lifecycle.service.ts';
import { orderBundle } from '../../bundle/lifecycle/ordering.service.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { billMonth } from '../bill.rules.ts';
import { createLineBook } from './line-book.rules.ts';
import { chargeSims } from './section-charges.service.ts';

const megabyte = 2 ** 20;
let test: TestApp;
let orgId: number;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-09-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  orgId = (await makeOrganisation(test, { code: 'acme', parentCode: 'operator' })).id;
  await makePricedBundles(pool());
  const plan = { type: 'postpaid bundle', quota_bytes: 10 * megabyte, overage_policy: 'billing' } as const;
  await createBundle(pool(), bundleOf({ ...plan, code: 'A', reset_cycle: 'full month', duration_days: 400 }));
  await createBundle(pool(), bundleOf({ ...plan, code: 'B', reset_cycle: 'full month', duration_days: 400 }));
  await createBundle(pool(), bundleOf({ ...plan, code: 'TEN', reset_cycle: 'month', duration_days: 10 }));
  await createBundle(pool(), bundleOf({ ...plan, code: 'DAY', reset_cycle: 'day', duration_days: null }));
  const prices = { activation: '1', cycle: '5', over: '0.01' };
  const bundles = { A: prices, B: prices, TEN: prices, DAY: prices };
  const versions = [{ starts_on: '2026-01-01', bundles, zones: {} }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
});
afterAll(() => test.close());

const use = (iccid: string, at: string, megabytes: number) => {
  test.clock.set(at);
  return importUsage(test, iccid, [{ at, bytes: megabytes * megabyte, country: 'DE' }]);
};

const order = (iccid: string, bundleCode: string, at: string) => {
  test.clock.set(at);
  const now = test.clock.now();
  return inTransaction(pool(), (tx) => orderBundle(tx, { iccids: [iccid], bundleCode, count: 1, now }));
};

/** What a month's bill charges for a SIM, once its cycles have ended. */
const billed = async (simId: number, month: string) => {
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  const section = {
    orgId,
    customerId: orgId,
    month: billMonth(month),
    tariffId: null,
    ...({ terms: 'post-payment', source: 'counters' } as const),
  };
  const book = createLineBook();
  const sums = new Map<string, number>();
  for await (const { charges } of chargeSims(pool(), book, section, { corrects: null })) {
    for (const { bill, line, quantity, simId: of } of charges) {
      const booked = bill.lines.find((one) => one.line === line);
      if (!booked || of !== simId) continue;
      const name = `${booked.kind} ${booked.bundle?.code}`;
      sums.set(name, (sums.get(name) ?? 0) + Number(quantity));
    }
  }
  return Object.fromEntries(sums);
};

it('an order that follows another on the same day is charged only for its own usage', async () => {
  const now = new Date('2026-10-01T02:00:00Z');
  const { id, iccid } = await makeSimWithBundles(test, { orgId, now, bundles: ['A'] });
  await use(iccid, '2026-10-01T03:00:00Z', 9);
  await order(iccid, 'B', '2026-10-01T06:00:00Z');
  await inTransaction(pool(), (tx) => endOrdersInUse(tx, { simIds: [id], now: test.clock.now() }));
  await use(iccid, '2026-10-20T03:00:00Z', 9);
  test.clock.set('2026-11-01T02:00:00Z');
  expect(await billed(id, '2026-10')).toEqual({
    'activation A': 1,
    'cycle A': 1,
    'activation B': 1,
    'cycle B': 1,
  });
  expect(await billed(id, '2026-11')).toEqual({ 'cycle B': 1 });
});

it('usage after a SIM’s last order causes neither a fee nor usage charges for it', async () => {
  const now = new Date('2026-10-25T02:00:00Z');
  const { id, iccid } = await makeSimWithBundles(test, { orgId, now, bundles: ['TEN'] });
  await use(iccid, '2026-11-03T02:00:00Z', 11);
  await endOrders({ pool: pool(), now: new Date('2026-11-04T02:01:00Z') });
  await use(iccid, '2026-11-04T02:02:00Z', 30);
  await order(iccid, 'TEN', '2026-11-10T02:00:00Z');
  await endOrders({ pool: pool(), now: new Date('2026-11-25T02:00:00Z') });
  test.clock.set('2026-12-01T02:00:00Z');
  expect(await billed(id, '2026-10')).toEqual({ 'activation TEN': 1, 'cycle TEN': 1 });
  expect(await billed(id, '2026-11')).toEqual({ 'cycle TEN': 2, 'over-quota TEN': 1, 'activation TEN': 1 });
});

it('each day of a bundle is charged, including days on which the server was down', async () => {
  const now = new Date('2026-11-27T02:00:00Z');
  const { id } = await makeSimWithBundles(test, { orgId, now, bundles: ['DAY'] });
  test.clock.set('2026-12-01T02:00:00Z');
  expect(await billed(id, '2026-11')).toEqual({ 'activation DAY': 1, 'cycle DAY': 4 });
});
