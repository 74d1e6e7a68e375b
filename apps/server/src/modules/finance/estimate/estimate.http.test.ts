import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles } from '../../../testing/prices.ts';
import { computeDueOffers } from '../offers/offers.service.ts';
import { computeDueEstimates } from './estimate.service.ts';

const { finance } = endpoints;

let test: TestApp;
const admins = new Map<string, TestClient>();

const offered = async (code: string) => (await admins.get(code)?.call(finance.offers, {}))?.body.data;
const shown = async (code: string) => (await admins.get(code)?.call(finance.estimate, {}))?.body.data;

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  test.clock.set('2026-11-20T12:00:00Z');
  const now = test.clock.now();
  await ensurePartitions(pool, new Date('2026-10-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  for (const [code, parentCode] of [
    ['acme', 'operator'],
    ['other', 'operator'],
    ['branch', 'acme'],
  ] as const) {
    const org = await makeOrganisation(test, { code, parentCode });
    admins.set(code, await signedInAs(test, 'admin', org));
    if (code === 'acme') {
      await makePricedBundles(pool);
      await applyPrices(test, { organisations: [code] });
      await makeSimWithBundles(test, { orgId: org.id, now, bundles: ['EU'] });
    }
  }
});
afterAll(() => test.close());

it('is absent until it is computed, and then the same for each call', async () => {
  expect(await shown('acme')).toEqual({ billed: true, estimate: null });
  await computeDueEstimates({ pool: test.database.pool, now: test.clock.now() });
  const first = await shown('acme');
  expect(first?.estimate).toMatchObject({
    month: '2026-11',
    computed_at: '2026-11-20T12:00:00.000Z',
    unpriced_cycles: 0,
    currencies: [{ currency: 'EUR', parts: [{ kind: 'activation' }, { kind: 'cycle', so_far_minor: 499 }] }],
  });
  expect(await shown('acme')).toEqual(first);
  // An estimate of a past month is not used for the running one.
  await test.database.pool.query("update bill_estimates set month_on = '2026-10-01'");
  expect(await shown('acme')).toEqual({ billed: true, estimate: null });
  await test.database.pool.query("update bill_estimates set month_on = '2026-11-01'");
});

it('belongs to the settlement customer, and to no organisation billed with another', async () => {
  expect(await shown('other')).toMatchObject({ billed: true, estimate: { currencies: [] } });
  expect(await shown('branch')).toEqual({ billed: false, estimate: null });
});

it('is shown together with offers, which are stored for the settlement customer too', async () => {
  expect(await offered('acme')).toEqual({ billed: true, offers: null });
  await computeDueOffers({ pool: test.database.pool, now: test.clock.now() });
  const young = { months: ['2026-08', '2026-09', '2026-10'], compared: [], offers: [] };
  for (const code of ['acme', 'other'])
    expect(await offered(code)).toEqual({
      billed: true,
      offers: { computed_at: '2026-11-20T12:00:00.000Z', ...young },
    });
  await test.database.pool.query(
    `update bill_offers set offers = jsonb_set(offers, '{compared}', '["2026-10"]') from organisations o
     where o.id = org_id and o.code = 'acme'`,
  );
  expect((await offered('acme'))?.offers?.compared).toEqual(['2026-10']);
  expect((await offered('other'))?.offers?.compared).toEqual([]);
  expect(await offered('branch')).toEqual({ billed: false, offers: null });
});

it('requires the permission to see bills, as offers do', async () => {
  const org = await makeOrganisation(test, { code: 'third', parentCode: 'operator' });
  const user = await signedInAs(test, 'user', org);
  for (const { path: url } of [finance.estimate, finance.offers]) {
    expect((await test.app.inject({ method: 'GET', url })).statusCode).toBe(401);
    expect((await test.app.inject({ method: 'GET', url, headers: user.headers })).statusCode).toBe(403);
  }
});
