import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { createBundle, moveOrders } from '../../bundle/index.ts';
import { rollOverPoolsAt } from '../../pool/index.ts';
import { lockLive, moveSims } from '../../sim/transfer/transfer.queries.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { recordUsageHandover } from '../../usage/index.ts';
import { runDueBilling } from '../finance.jobs.ts';
import { checkBill } from './check.service.ts';

const megabyte = 2 ** 20;
const begin = '2026-10-01T02:00:00Z';

let test: TestApp;
let customers = 0;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set(begin);
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  const zoned = { out_of_coverage_policy: 'billing' as const, coverage_countries: ['DE'] };
  await createBundle(
    pool(),
    bundleOf({
      code: 'MONTH',
      type: 'postpaid bundle',
      quota_bytes: 10 * megabyte,
      overage_policy: 'billing',
      reset_cycle: 'month',
      duration_days: null,
      ...zoned,
    }),
  );
  const bundles = { MONTH: { cycle: '5', over: '0.01' } };
  const prices = { zones: { asia: '0.1', rest: '1' }, pool: { cycle: '20', over: '0.05' } };
  const versions = [{ starts_on: '2026-01-01', bundles, ...prices }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
});
afterAll(() => test.close());

/** A customer with 4 MB in Germany and 3 MB in Japan: by a SIM of its own, and by one in a pool of 2 MB. */
const makeCustomer = async () => {
  customers += 1;
  test.clock.set(begin);
  const now = test.clock.now();
  const org = await makeOrganisation(test, { code: `customer-${customers}`, parentCode: 'operator' });
  const own = await makeSimWithBundles(test, { orgId: org.id, now, bundles: ['MONTH'] });
  const bundle = `SHARED-${customers}`;
  const shared = await makePool(pool(), org.id, {
    now,
    bundle,
    quotaBytes: 2 * megabyte,
    policy: 'no limit',
  });
  await pool().query(
    `update bundles set out_of_coverage_policy = 'billing', coverage_countries = '{DE}' where code = $1`,
    [bundle],
  );
  const member = await makeSim(pool(), org.id, { lifecycle: 'active' });
  await orderShared(pool(), shared, [member.iccid], now);
  await shared.enrol([member.id], now);
  test.clock.set('2026-10-20T02:00:00Z');
  for (const { iccid } of [own, member]) {
    await importUsage(test, iccid, [
      { at: '2026-10-10T02:00:00Z', bytes: 4 * megabyte, country: 'DE' },
      { at: '2026-10-10T03:00:00Z', bytes: 3 * megabyte, country: 'JP' },
    ]);
  }
  return {
    orgId: org.id,
    poolId: shared.id,
    own: own.id,
    member: member.id,
    iccids: [own.iccid, member.iccid],
  };
};
const billAt = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await rollOverPoolsAt(pool(), test.clock.now());
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const check = async (orgId: number) => {
  const { rows } = await pool().query<{ number: string }>(
    `select 'BILL-2026-10-' || lpad(serial::text, 5, '0') as number from bills
     where org_id = $1 and month_on = '2026-10-01'`,
    [orgId],
  );
  const result = await checkBill(pool(), rows[0]?.number ?? '', { now: test.clock.now() });
  if (!result) throw new Error('There is no bill');
  return result;
};
const differences = async (orgId: number) =>
  (await check(orgId)).mismatches.map(({ item, billed, computed }) => `${item?.kind} ${billed} ${computed}`);

type Customer = Awaited<ReturnType<typeof makeCustomer>>;
const takeOffCounter = ({ poolId }: Customer) =>
  pool().query(
    `update pool_counters set used_bytes = used_bytes - $2 where pool_id = $1 and used_bytes > 0`,
    [poolId, megabyte],
  );
const takeOffDay = (simId: number) =>
  pool().query(
    `update usage_daily set up_bytes = up_bytes - $2 where sim_id = $1 and plmn = 440010 and up_bytes > 0`,
    [simId, megabyte],
  );

it.each<[string, (customer: Customer) => Promise<unknown>, string[]]>([
  ['nothing', async () => {}, []],
  // 4 MB in Germany beyond 2 MB.
  ['the counter of a pool', takeOffCounter, ['over-pool-limit 1 2']],
  ['the rollup of a SIM abroad', ({ own }) => takeOffDay(own), ['out-of-coverage 5 6']],
  // What is missing in the zone was charged to the pool.
  [
    'the rollup of a member abroad',
    ({ member }) => takeOffDay(member),
    ['out-of-coverage 5 6', 'over-pool-limit 3 2'],
  ],
])('a check finds that a bill was made with one megabyte less in %s', async (_where, alter, expected) => {
  const customer = await makeCustomer();
  await alter(customer);
  await billAt('2026-11-02T16:30:00Z');
  expect(new Set(await differences(customer.orgId))).toEqual(new Set(expected));
});

it('records that arrived after the bill are only counted, until the next bill charges their difference', async () => {
  const { orgId, iccids } = await makeCustomer();
  await billAt('2026-11-02T16:30:00Z');
  for (const iccid of iccids) {
    await importUsage(test, iccid, [
      { at: '2026-10-11T02:00:00Z', bytes: 5 * megabyte, country: 'DE' },
      { at: '2026-10-11T03:00:00Z', bytes: megabyte, country: 'JP' },
    ]);
  }
  // The cycles of both SIMs and that of the pool.
  expect(await check(orgId)).toMatchObject({ mismatches: [], late: 3 });
  await billAt('2026-11-30T16:30:00Z');
  expect(await check(orgId)).toMatchObject({ mismatches: [], late: 0 });
});

it('a late record of a SIM that moved within the customer counts once, in the section that was charged', async () => {
  const { orgId, own, iccids } = await makeCustomer();
  const branch = await makeOrganisation(test, {
    code: `branch-${customers}`,
    parentCode: `customer-${customers}`,
  });
  test.clock.set('2026-11-01T02:00:00Z');
  await inTransaction(pool(), async (tx) => {
    await lockLive(tx, [own]);
    const transfer = { simIds: [own], from: orgId, to: branch.id, at: test.clock.now() };
    await moveSims(tx, transfer, []);
    await recordUsageHandover(tx, transfer);
    await moveOrders(tx, { simIds: [own], orgId: branch.id });
  });
  await billAt('2026-11-02T16:30:00Z');
  expect(await check(orgId)).toMatchObject({ mismatches: [], late: 0 });
  await importUsage(test, iccids[0] ?? '', [
    { at: '2026-10-11T02:00:00Z', bytes: 8 * megabyte, country: 'DE' },
    { at: '2026-10-11T03:00:00Z', bytes: megabyte, country: 'JP' },
  ]);
  expect(await check(orgId)).toMatchObject({ mismatches: [], late: expect.any(Number) });
  expect((await check(orgId)).late).toBeGreaterThan(0);
});

it('a late record does not hide what was wrong before', async () => {
  const customer = await makeCustomer();
  await pool().query(`update sim_live set used_bytes = used_bytes - $2 where sim_id = $1`, [
    customer.own,
    megabyte,
  ]);
  await takeOffDay(customer.own);
  await takeOffCounter(customer);
  await billAt('2026-11-02T16:30:00Z');
  for (const iccid of customer.iccids)
    await importUsage(test, iccid, [{ at: '2026-10-11T02:00:00Z', bytes: megabyte, country: 'DE' }]);
  // Of the pool 1 MB was billed, while the records have 2 MB before and 3 MB with the late one.
  expect(new Set(await differences(customer.orgId))).toEqual(
    new Set(['out-of-coverage 5 6', 'over-pool-limit 1 3']),
  );
  const { mismatches } = await check(customer.orgId);
  expect(mismatches.find(({ item }) => item?.zone)).toEqual({
    figure: 'quantity',
    item: {
      organisation: { code: `customer-${customers}`, name: expect.any(String) },
      kind: 'out-of-coverage',
      bundle: null,
      zone: { code: 'asia', name: 'Asia' },
      pool: null,
      tariff: { code: 'standard', name: 'Standard', starts_on: '2026-01-01' },
      unit: 'MB',
      price_micros: 100_000,
    },
    what: `out-of-coverage asia, organisation customer-${customers}, tariff standard of 2026-01-01, 0.100000 per MB`,
    billed: '5',
    computed: '6',
  });
  expect(mismatches.find(({ item }) => item?.pool)).toMatchObject({
    item: { pool: { name: 'Trucks', cycle_started_at: '2026-09-30T16:00:00.000Z' } },
    what: expect.stringContaining('over-pool-limit Trucks, cycle of 2026-10-01, organisation customer-'),
  });
});
