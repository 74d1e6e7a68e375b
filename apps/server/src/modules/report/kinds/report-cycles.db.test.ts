import type { ReportKind } from '@simcube/contract/report';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf, type TestSim } from '../../../testing/bundles.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { importUsage, makePricedBundles, makeSimWithBundles } from '../../../testing/prices.ts';
import { reportFigures, reportText } from '../../../testing/reports.ts';
import { createBundle } from '../../bundle/index.ts';
import { endOrders } from '../../bundle/lifecycle/lifecycle.service.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { generateMonth } from '../generation/generate.service.ts';
import { savePreferences } from '../preferences/preferences.queries.ts';

const month = '2026-10';
const megabyte = 2 ** 20;
const kinds: ReportKind[] = ['sim-usage', 'inventory', 'bundles', 'pools'];

let test: TestApp;
let orgId: number;
/** Its bundle has cycles of a month, and a supplementary order. */
let toppedUp: TestSim;
/** Its only order ended in the middle of the month. */
let expired: TestSim;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  const begun = new Date('2026-09-10T00:00:00Z');
  test.clock.set(begun.toISOString());
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  orgId = (await makeOrganisation(test, { code: 'acme', parentCode: 'operator' })).id;
  await makePricedBundles(pool());
  const monthly = { quota_bytes: 10 * megabyte, reset_cycle: 'month', duration_days: null } as const;
  await createBundle(pool(), bundleOf({ code: 'MONTHLY', ...monthly }));
  await createBundle(pool(), bundleOf({ code: 'SHORT' }));
  toppedUp = await makeSimWithBundles(test, { orgId, now: begun, bundles: ['MONTHLY', 'TOP'] });
  expired = await makeSimWithBundles(test, { orgId, now: begun, bundles: ['SHORT'] });
  const pooled = await makeSim(pool(), orgId, { lifecycle: 'active' });
  const shared = await makePool(pool(), orgId, { now: begun, policy: 'no limit' });
  await orderShared(pool(), shared, [pooled.iccid], begun);
  await shared.enrol([pooled.id], begun);
  await pool().query("update sims set created_at = '2026-09-01'");
  test.clock.set('2026-11-03T00:00:00Z');
  const used = (before: number, bytes: number) => [
    { at: '2026-09-15T00:00:00Z', bytes: before, country: 'DE' as const },
    { at: '2026-10-15T00:00:00Z', bytes, country: 'DE' as const },
  ];
  await importUsage(test, toppedUp.iccid, used(megabyte, 10 * megabyte + 1));
  await importUsage(test, pooled.iccid, used(66, 77));
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await endOrders({ pool: pool(), now: test.clock.now() });
  // Ahead of business days: this month begins and ends an hour before theirs.
  const preferences = {
    language: 'en-US' as const,
    time_zone: 'Asia/Tokyo',
    notify: [],
    formats: ['csv' as const],
  };
  await inTransaction(pool(), (tx) => savePreferences(tx, { ...preferences, orgId, kinds, at: begun }));
  await generateMonth(pool(), { month, now: new Date('2026-11-05T00:00:00Z'), orgId });
});
afterAll(() => test.close());

const rowsOf = async (kind: ReportKind) => {
  const [heading = [], ...lines] = await reportText(pool(), { orgId, month, kind });
  return lines.map((cells) => Object.fromEntries(heading.map((name, at) => [name, cells[at]])));
};
const rowOf = async (kind: ReportKind, { iccid }: TestSim) =>
  (await rowsOf(kind)).find((row) => row['ICCID'] === iccid);

describe('a report in a time zone ahead of business days', () => {
  it('contains the pools’ cycle of its month, not the one before', async () => {
    expect(await rowsOf('pools')).toMatchObject([
      {
        'Cycle start (Asia/Tokyo)': '2026-10-01 01:00:00',
        'Cycle end (Asia/Tokyo)': '2026-11-01 01:00:00',
        'Used (bytes)': '77',
      },
    ]);
  });

  it('contains the usage of the bundles’ cycle of its month', async () => {
    const row = (await rowsOf('bundles')).find(({ Bundle }) => Bundle === 'MONTHLY bundle');
    expect(row).toMatchObject({ Cycles: '1', 'Used (bytes)': String(10 * megabyte + 1) });
  });
});

it('the inventory shows no bundle for SIMs that had none at the end of the month', async () => {
  expect(await rowOf('inventory', expired)).toMatchObject({ Status: 'Expired', Bundle: '' });
  expect(await rowOf('inventory', toppedUp)).toMatchObject({ Bundle: 'MONTHLY bundle' });
  expect(await rowOf('sim-usage', expired)).toMatchObject({ Bundle: 'SHORT bundle' });
});

it('SIM usage counts supplementary orders towards the quota', async () => {
  const { rows } = await pool().query<{ limit: number }>(
    `select limit_bytes as limit from usage_cycles where sim_id = $1 and cycle_ends_at = '2026-10-31T16:00:00Z'`,
    [toppedUp.id],
  );
  const limit = rows[0]?.limit ?? 0;
  expect(limit).toBeGreaterThan(10 * megabyte + 1);
  expect(await rowOf('sim-usage', toppedUp)).toMatchObject({ 'Quota (bytes)': String(limit) });
  expect(await reportFigures(pool(), { orgId, month, kind: 'sim-usage' })).toMatchObject({ over_quota: 0 });
});
