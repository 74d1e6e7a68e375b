import type { ReportKind } from '@simcube/contract/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf, type TestSim } from '../../../testing/bundles.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { importUsage, makeSimWithBundles } from '../../../testing/prices.ts';
import { makeReports, reportFigures, reportText } from '../../../testing/reports.ts';
import { createBundle } from '../../bundle/index.ts';
import { exitSims } from '../../pool/membership/membership.service.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { findReports } from '../reports.views.ts';

const month = '2026-10';
const quota = 1000;
const begun = new Date('2026-09-20T02:00:00Z');

let test: TestApp;
let orgId: number;
let within: TestSim;
let over: TestSim;
let member: TestSim;
let left: TestSim;
let daily: TestSim;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set(begun.toISOString());
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  orgId = (await makeOrganisation(test, { code: 'acme', parentCode: 'operator' })).id;
  const spec = { quota_bytes: quota, overage_policy: 'billing', duration_days: null } as const;
  await createBundle(pool(), bundleOf({ code: 'FULL', ...spec, reset_cycle: 'full month' }));
  await pool().query("insert into networks values (262001, '262', '01', 'A', 'DE') on conflict do nothing");
  within = await makeSimWithBundles(test, { orgId, now: begun, bundles: ['FULL'] });
  over = await makeSimWithBundles(test, { orgId, now: begun, bundles: ['FULL'] });
  await createBundle(pool(), bundleOf({ code: 'CITY', ...spec, reset_cycle: 'day' }));
  daily = await makeSimWithBundles(test, { orgId, now: begun, bundles: ['CITY'] });
  member = await makeSim(pool(), orgId, { lifecycle: 'active' });
  left = await makeSim(pool(), orgId, { lifecycle: 'active' });
  const monthly = await makePool(pool(), orgId, { now: begun, quotaBytes: quota, policy: 'no limit' });
  await orderShared(pool(), monthly, [member.iccid, left.iccid], begun);
  await monthly.enrol([member.id, left.id], begun);
  const now = new Date('2026-10-10T00:00:00Z');
  await inTransaction(pool(), (tx) => exitSims(tx, { simIds: [left.id], reason: 'ordered', now }));
  const dailyPool = await makePool(pool(), orgId, {
    now: begun,
    quotaBytes: quota,
    policy: 'no limit',
    resetCycle: 'day',
    name: 'Daily',
    bundle: 'DAY',
  });
  const one = await makeSim(pool(), orgId, { lifecycle: 'active' });
  await orderShared(pool(), dailyPool, [one.iccid], begun);
  await dailyPool.enrol([one.id], begun);
  await pool().query("update sims set created_at = '2026-09-01'");
  test.clock.set('2026-11-03T00:00:00Z');
  const use = (iccid: string, days: Readonly<Record<string, number>>) =>
    importUsage(
      test,
      iccid,
      Object.entries(days).map(([day, bytes]) => ({ at: `2026-10-${day}T04:00:00Z`, bytes, country: 'DE' })),
    );
  // Its cycle ends on the 20th: neither has more than the quota, the month has.
  await use(within.iccid, { '05': 900, '25': 900 });
  await use(over.iccid, { '05': quota + 100 });
  await use(member.iccid, { '05': quota + 200 });
  // Over on one day, far from it in the month.
  await use(daily.iccid, { '05': quota + 4, '06': 10 });
  await use(left.iccid, { '05': 700, '15': quota + 7 });
  await use(one.iccid, { '05': quota + 1, '06': quota + 1 });
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await pool().query("update bundle_orders set sales_order_id = 'SO-1' where sim_id = $1", [over.id]);
  await makeReports(pool(), { orgId, kinds: ['sim-usage', 'bundles', 'pools'] });
});
afterAll(() => test.close());

const rowOf = async (kind: ReportKind, iccid: string) => {
  const [heading = [], ...lines] = await reportText(pool(), { orgId, month, kind });
  const cells = lines.find((line) => line.includes(iccid)) ?? [];
  return Object.fromEntries(heading.map((name, at) => [name, cells[at]]));
};
const barsOf = async (kind: ReportKind) => {
  const { rows } = await pool().query<{ id: number }>('select id from reports where kind = $1', [kind]);
  const ids = rows.map(({ id }) => id);
  const [report] = await findReports(pool(), { orgId, ids, withPreview: false });
  return report?.series.bars ?? [];
};
const figures = (kind: ReportKind) => reportFigures(pool(), { orgId, month, kind });

describe('the overage of a SIM in reports', () => {
  it('leaves out what counted for a shared pool', async () => {
    const overOf = async ({ iccid }: TestSim) => (await rowOf('bundles', iccid))['Over (bytes)'];
    expect(await overOf(within)).toBe('0');
    expect(await overOf(over)).toBe('100');
    expect(await overOf(member)).toBe('0');
    expect(await overOf(left)).toBe('7');
    expect(await figures('bundles')).toMatchObject({ over: 111, over_quota: 3 });
  });

  it('is that of cycles that ended in the month, as is the share of the quota', async () => {
    const shareOf = async ({ iccid }: TestSim) => {
      const row = await rowOf('sim-usage', iccid);
      const columns = ['Used', 'Quota', 'Used of quota', 'Over'].map((name) => `${name} (bytes)`);
      return [...columns, 'Of quota (%)', 'Fullest cycle (%)'].map((name) => row[name]);
    };
    expect(await shareOf(within)).toEqual(['1800', '1000', '900', '0', '90', '90']);
    expect(await shareOf(over)).toEqual(['1100', '1000', '1100', '100', '110', '110']);
    expect(await shareOf(member)).toEqual(['1200', '', '', '', '', '']);
    expect(await shareOf(left)).toEqual(['1707', '1000', '1007', '7', '101', '101']);
    // Quotas of a day can't be saved up: 100.4% of one of them is over, and is not rounded to 100.
    expect(await shareOf(daily)).toEqual(['1014', '31000', '1014', '4', '3', '101']);
    expect(await figures('sim-usage')).toMatchObject({ over_quota: 3 });
    expect((await barsOf('sim-usage')).find(({ tone }) => tone === 'over')).toMatchObject({ value: 3 });
  });
});

it('a pool with several cycles in the month is over its limit once', async () => {
  expect(await figures('pools')).toMatchObject({ pools: 2, over_limit: 1 });
  const tones = (await barsOf('pools')).map(({ label, tone }) => [label, tone]);
  expect(tones).toEqual([
    ['Daily', 'over'],
    ['Trucks', 'plain'],
  ]);
});

it('the report of orders has their number and that of the sales order under the names of the export', async () => {
  const { rows } = await pool().query<{ id: number }>('select id from bundle_orders where sim_id = $1', [
    over.id,
  ]);
  expect(await rowOf('bundles', over.iccid)).toMatchObject({
    'Sales order': 'SO-1',
    'Order ID': String(rows[0]?.id),
  });
});
