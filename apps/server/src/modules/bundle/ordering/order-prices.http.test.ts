import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, tariff } from '../../../testing/prices.ts';
import { createBundle } from '../index.ts';

const { bundle, price } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let admin: TestClient;

/** Prices rise on 20 November, the day before the test's. */
beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  admin = await signedInAs(test, 'admin', acme);
  await makePricedBundles(test.database.pool);
  for (const code of ['MONTH', 'OTHER'])
    await createBundle(test.database.pool, bundleOf({ code, reset_cycle: 'month', orderable: true }));
  const versionFrom = (starts_on: string, cents: number) => ({
    starts_on,
    bundles: {
      MONTH: { activation: cents / 100 },
      OTHER: { activation: (cents + 1) / 100 },
      TOP: { activation: (cents + 2) / 100 },
    },
    zones: { asia: '0', rest: '0' },
  });
  const versions = [versionFrom('2026-01-01', 100), versionFrom('2026-11-20', 200)];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
});
afterAll(() => test.close());

const simSince = async (instant: string) =>
  (await makeSimWithBundles(test, { orgId: acme.id, now: new Date(instant), bundles: ['MONTH'] })).iccid;
const activationFees = async (iccid: string) =>
  (await admin.call(price.simCost, { query: { iccid } })).body.data?.lines
    .filter(({ kind, bundle: charged }) => kind === 'activation' && charged?.code === 'TOP')
    .map(({ amount_minor }) => amount_minor);

it('a preview shows a top-up at the price of the cycle that it joins, as it is then charged, and other orders at the current one', async () => {
  const [before, alsoBefore] = [
    await simSince('2026-11-10T00:00:00Z'),
    await simSince('2026-11-12T00:00:00Z'),
  ];
  const since = await simSince('2026-11-21T01:00:00Z');
  const selection = { iccids: [before, alsoBefore, since] };
  const shown = async (preview: ReturnType<typeof topUp>) =>
    (await preview).body.data?.preview?.lines.map(({ orders, price: shownPrice }) => [
      orders,
      (shownPrice?.activation_micros ?? 0) / 10_000,
    ]);
  const topUp = (preview: boolean) =>
    admin.call(bundle.topUp, { body: { selection, preview, bundle_code: 'TOP' } });
  expect(await shown(topUp(true))).toEqual([
    [2, 102],
    [1, 202],
  ]);
  const renewal = admin.call(bundle.renew, { body: { selection, preview: true } });
  expect(await shown(renewal)).toEqual([[3, 200]]);
  const change = admin.call(bundle.change, {
    body: { selection, preview: true, bundle_code: 'OTHER', when: 'now' },
  });
  expect(await shown(change)).toEqual([[3, 201]]);

  await topUp(false);
  await runJobs(test.database, test.wiring.jobs);
  for (const [iccid, cents] of [
    [before, 102],
    [alsoBefore, 102],
    [since, 202],
  ] as const)
    expect(await activationFees(iccid)).toEqual([cents]);
});
