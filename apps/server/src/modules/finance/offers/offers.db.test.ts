import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { makePool } from '../../../testing/pools.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  tariff,
} from '../../../testing/prices.ts';
import { createBundle } from '../../bundle/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { findCustomer } from '../customers.views.ts';
import { draftMonth } from '../drafts/draft.service.ts';
import { computeDueOffers, computeOffers } from './offers.service.ts';
import { findOffers } from './stored-offers.views.ts';

const megabyte = 2 ** 20;

let test: TestApp;
let acme: { id: number; code: string };
let fresh: { id: number; code: string };

const pool = () => test.database.pool;
const at = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
};

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-07-31T16:00:00Z');
  const start = test.clock.now();
  await ensurePartitions(pool(), new Date('2026-07-01T00:00:00Z'), new Date('2027-01-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  fresh = await makeOrganisation(test, { code: 'fresh', parentCode: 'operator' });
  await makePricedBundles(pool());
  const postpaid = { type: 'postpaid bundle', overage_policy: 'billing', reset_cycle: 'month' } as const;
  for (const [code, quota, orderable] of [
    ['SMALL', 10, false],
    ['LARGE', 100, true],
    ['HIDDEN', 100, false],
  ] as const) {
    const own = { code, orderable, quota_bytes: quota * megabyte, duration_days: null };
    await createBundle(pool(), bundleOf({ ...postpaid, ...own }));
  }
  await makePool(pool(), acme.id, {
    now: start,
    quotaBytes: 20 * megabyte,
    policy: 'no limit',
    bundle: 'SHARED',
    name: 'Trucks',
  });
  await pool().query("update bundles set orderable = true where code = 'SHARED'");
  const bundles = {
    SMALL: { activation: '1', cycle: '5', over: '0.50' },
    LARGE: { activation: '1', cycle: '9', over: '0.50' },
    HIDDEN: { cycle: '1' },
    SHARED: { cycle: '6' },
  };
  const versions = [
    { starts_on: '2026-01-01', bundles, zones: { rest: '1' }, pool: { cycle: '5', over: '0.5' } },
  ];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme', 'fresh'] });
  const sim = (now: Date, orgId = acme.id) => makeSimWithBundles(test, { orgId, now, bundles: ['SMALL'] });
  const heavy = await sim(start);
  const light = await sim(start);
  // From the 1st of September on.
  const later = await sim(new Date('2026-08-31T16:00:00Z'));
  await sim(new Date('2026-11-01T00:00:00Z'), fresh.id);
  await at('2026-11-15T00:00:00Z');
  for (const month of ['08', '09', '10']) {
    await importUsage(test, heavy.iccid, [
      { at: `2026-${month}-10T00:00:00Z`, bytes: 50 * megabyte, country: 'DE' },
    ]);
    await importUsage(test, light.iccid, [
      { at: `2026-${month}-10T00:00:00Z`, bytes: megabyte, country: 'DE' },
    ]);
    if (month !== '08') {
      await importUsage(test, later.iccid, [
        { at: `2026-${month}-11T00:00:00Z`, bytes: 2 * megabyte, country: 'DE' },
      ]);
    }
  }
});
afterAll(() => test.close());

const offered = async (orgId = acme.id) => {
  const customer = await findCustomer(pool(), orgId);
  if (!customer) throw new Error('No customer');
  return computeOffers(pool(), { customer, now: test.clock.now() });
};

it('offers cheaper bundles for the same usage, with the calculation', async () => {
  const found = await offered();
  expect(found).toMatchObject({
    months: ['2026-08', '2026-09', '2026-10'],
    compared: ['2026-08', '2026-09', '2026-10'],
  });
  expect(
    found.offers.map(({ was: _was, would: _would, ...one }) => ({
      ...one,
      instead: one.instead.bundle.code,
    })),
  ).toEqual([
    {
      organisation: { code: 'acme', name: 'acme Limited' },
      bundle: { code: 'SMALL', name: 'SMALL bundle' },
      instead: 'SHARED',
      sims: 3,
      cycles: 8,
      currency: 'EUR',
      months: found.months,
      // 8 × 5.00, 3 × 1.00 of orders, and 3 × 40 MB × 0.50.
      was_minor: 4000 + 300 + 6000,
      // 8 × 6.00, 3 pools × 5.00, beyond 40 MB in August 11 and beyond 60 MB none, × 0.50.
      would_minor: 4800 + 1500 + 550,
      change_minor: 0,
      saving_minor: 3450,
    },
    {
      organisation: { code: 'acme', name: 'acme Limited' },
      bundle: { code: 'SMALL', name: 'SMALL bundle' },
      instead: 'LARGE',
      sims: 3,
      cycles: 8,
      currency: 'EUR',
      months: found.months,
      was_minor: 10_300,
      // 8 × 9.00 and 3 × 1.00 of orders.
      would_minor: 7500,
      change_minor: 300,
      saving_minor: 2500,
    },
  ]);
});

it('takes the actual cost from the charges on the bills of these months', async () => {
  const customer = await findCustomer(pool(), acme.id);
  if (!customer) throw new Error('No customer');
  for (const month of ['2026-08', '2026-09', '2026-10'])
    await draftMonth(pool(), { customer, month, now: test.clock.now() });
  const { rows } = await pool().query<{ billed: number }>(
    `select sum(n.amount_minor)::int8 as billed from bill_lines n join bills b on b.id = n.bill_id
     where b.org_id = $1 and n.pool_id is null`,
    [acme.id],
  );
  expect((await offered()).offers.map(({ was_minor: was }) => was)).toEqual([
    rows[0]?.billed,
    rows[0]?.billed,
  ]);
});

it('reports the months with cycles, and offers nothing to a new customer', async () => {
  expect(await offered(fresh.id)).toMatchObject({ compared: [], offers: [] });
});

it('offers nothing below the minimum saving', async () => {
  await pool().query(
    `update tariff_bundle_prices p set cycle_micros = 12000000 from bundles b
     where b.id = p.bundle_id and b.code in ('LARGE', 'SHARED')`,
  );
  expect(await offered()).toMatchObject({ offers: [] });
  await pool().query(
    `update tariff_bundle_prices p set cycle_micros = case b.code when 'LARGE' then 9000000 else 6000000 end from bundles b
     where b.id = p.bundle_id and b.code in ('LARGE', 'SHARED')`,
  );
});

it('leaves SIMs, orders and bundles unchanged', async () => {
  const state = async () =>
    (
      await pool().query(
        `select (select json_agg(o order by id) from bundle_orders o) as orders,
           (select json_agg(s.bundle_id order by id) from sims s) as bundles, (select count(*) from pool_members) as members`,
      )
    ).rows[0];
  const before = await state();
  await computeDueOffers({ pool: pool(), now: test.clock.now() });
  expect(await state()).toEqual(before);
});

it('is stored by a job and recomputed each day', async () => {
  const first = await findOffers(pool(), acme.id);
  expect(first).toEqual(await offered());
  await at('2026-11-15T15:00:00Z');
  await computeDueOffers({ pool: pool(), now: test.clock.now() });
  expect(await findOffers(pool(), acme.id)).toEqual(first);
  await at('2026-11-15T16:00:00Z');
  await computeDueOffers({ pool: pool(), now: test.clock.now() });
  expect((await findOffers(pool(), acme.id))?.computed_at).toBe('2026-11-15T16:00:00.000Z');
});
