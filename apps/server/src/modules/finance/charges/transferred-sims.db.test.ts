import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
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
import { createBundle, moveOrders } from '../../bundle/index.ts';
import { bindTariff } from '../../price/index.ts';
import { lockLive, moveSims } from '../../sim/transfer/transfer.queries.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { recordUsageHandover } from '../../usage/index.ts';
import { checkBill } from '../check/check.service.ts';
import { runDueBilling } from '../finance.jobs.ts';

const megabyte = 2 ** 20;
let test: TestApp;
let made = 0;
/** Two customers with a tariff, and one without. */
let acme: { id: number };
let branch: { id: number };
let free: { id: number; code: string };
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
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
      out_of_coverage_policy: 'billing',
      coverage_countries: ['DE'],
      reset_cycle: 'month',
      duration_days: null,
    }),
  );
});
afterAll(() => test.close());
beforeEach(async () => {
  test.clock.set('2026-10-01T02:00:00Z');
  made += 1;
  const customer = (code: string) =>
    makeOrganisation(test, { code: `${code}-${made}`, parentCode: 'operator' });
  acme = await customer('acme');
  branch = await customer('branch');
  free = await customer('free');
  const versions = [
    { starts_on: '2026-01-01', bundles: { MONTH: { over: '0.01' } }, zones: { asia: '0.1', rest: '1' } },
  ];
  await applyPrices(test, {
    tariffs: [tariff({ versions })],
    organisations: [`acme-${made}`, `branch-${made}`],
  });
});

const makeSim = () => makeSimWithBundles(test, { orgId: acme.id, now: test.clock.now(), bundles: ['MONTH'] });
const bill = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const october = '2026-11-02T16:30:00Z';
const november = '2026-12-02T16:30:00Z';
const december = '2027-01-02T16:30:00Z';
const transfer = async (simId: number, { from, to, at }: { from: number; to: number; at: string }) => {
  test.clock.set(at);
  const simIds = [simId];
  await inTransaction(pool(), async (tx) => {
    await lockLive(tx, simIds);
    await moveSims(tx, { simIds, from, to, at: test.clock.now() }, []);
    await recordUsageHandover(tx, { simIds, at: test.clock.now() });
    await moveOrders(tx, { simIds, orgId: to });
  });
};
const use = (sim: { iccid: string }, at: string, country: 'DE' | 'JP' = 'JP') =>
  importUsage(test, sim.iccid, [{ at, bytes: 3 * megabyte, country }]);
const lines = async ({ id }: { id: number }) =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', to_char(b.month_on, 'YYYY-MM'), n.kind, n.quantity, to_char(n.corrects_on, 'YYYY-MM')) as text
       from bill_lines n join bills b on b.id = n.bill_id where n.org_id = $1 order by 1`,
      [id],
    )
  ).rows.map(({ text }) => text);
/** What bills of a customer's month differ in from the records. */
const checked = async ({ id }: { id: number }, month: string) => {
  const { rows } = await pool().query<{ number: string }>(
    `select 'BILL-' || $2 || '-' || lpad(serial::text, 5, '0') as number from bills
     where org_id = $1 and to_char(month_on, 'YYYY-MM') = $2`,
    [id, month],
  );
  return checkBill(pool(), rows[0]?.number ?? '', { now: test.clock.now() });
};

it('late usage in a zone is charged to the owner that a SIM came back to, although its cycle is on no bill', async () => {
  const sim = await makeSim();
  await transfer(sim.id, { from: acme.id, to: free.id, at: '2026-10-15T02:00:00Z' });
  await bill(october);
  await transfer(sim.id, { from: free.id, to: acme.id, at: '2026-11-05T02:00:00Z' });
  await use(sim, '2026-10-10T00:00:00Z');
  await bill(november);
  expect(await lines(acme)).toEqual(['2026-11 out-of-coverage 3 2026-10']);
  await bill(december);
  expect(await lines(acme)).toEqual(['2026-11 out-of-coverage 3 2026-10']);
  expect(await checked(acme, '2026-11')).toMatchObject({ mismatches: [], late: 0 });
});

it('late usage in a zone is charged to the owner since the same day', async () => {
  const sim = await makeSim();
  // Both are on 31 October in UTC; in UTC+8, the transfer is on 1 November, in the next cycle.
  await transfer(sim.id, { from: acme.id, to: branch.id, at: '2026-10-31T20:00:00Z' });
  await bill(october);
  await use(sim, '2026-10-31T15:30:00Z');
  await bill(november);
  expect([await lines(acme), await lines(branch)]).toEqual([[], ['2026-11 out-of-coverage 3 2026-10']]);
  // It has been counted once, and more of it is charged as a difference.
  await importUsage(test, sim.iccid, [{ at: '2026-10-31T15:40:00Z', bytes: megabyte, country: 'JP' }]);
  await bill(december);
  expect(await lines(branch)).toEqual([
    '2026-11 out-of-coverage 3 2026-10',
    '2026-12 out-of-coverage 1 2026-10',
  ]);
  expect(await checked(branch, '2026-12')).toMatchObject({ mismatches: [], late: 0 });
});

it.each([
  ['no usage was late', '2026-10-15T00:15:00Z', '2026-10-15T00:30:00Z', null],
  ['late usage was billed to the owner at its end', '2026-10-14T00:00:00Z', '2026-10-20T00:00:00Z', null],
  [
    'late usage was billed to an owner in between',
    '2026-10-14T00:00:00Z',
    '2026-10-20T00:00:00Z',
    '2026-10-28T02:00:00Z',
  ],
])(
  'a cycle in which a SIM changed hands is not charged again when a network gets another country: %s',
  async (_, used, counted, back) => {
    const sim = await makeSim();
    const transferred = '2026-10-15T02:00:00Z';
    const count = async () => {
      test.clock.set(counted);
      await use(sim, used, 'DE');
    };
    if (counted < transferred) await count();
    await transfer(sim.id, { from: acme.id, to: branch.id, at: transferred });
    if (counted > transferred) await count();
    if (back) await transfer(sim.id, { from: branch.id, to: acme.id, at: back });
    await bill(october);
    await pool().query("update networks set country = 'IN' where plmn = 262001");
    await bill(november);
    await pool().query("update networks set country = 'DE' where plmn = 262001");
    expect([await lines(acme), await lines(branch)]).toEqual([[], []]);
  },
);

it('a cycle in which a SIM changed hands is not charged by a tariff that is bound after it was billed', async () => {
  const sim = await makeSim();
  await transfer(sim.id, { from: acme.id, to: free.id, at: '2026-10-10T02:00:00Z' });
  test.clock.set('2026-10-10T04:00:00Z');
  await use(sim, '2026-10-10T03:00:00Z');
  await transfer(sim.id, { from: free.id, to: acme.id, at: '2026-10-10T05:00:00Z' });
  await bill(october);
  const binding = { organisation: free.code, tariff: 'standard', from: '2026-10-01' };
  const by = { actor: operatorActor(), at: test.clock.now() };
  await inTransaction(pool(), (tx) => bindTariff(tx, binding, by));
  await bill(november);
  expect(await lines(free)).toEqual([]);
});
