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
import { bundleOf } from '../../../testing/bundles.ts';
import { applyPrices, tariff } from '../../../testing/prices.ts';
import { createBundle } from '../../bundle/index.ts';
import { computeDueOffers } from '../offers/offers.service.ts';
import { computeDueEstimates } from './estimate.service.ts';

const { finance } = endpoints;
const sims = 10_000;
const megabyte = 2 ** 20;
/** Limit for a call that reads stored results; computing them takes seconds. */
const callMs = 250;

let test: TestApp;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  test.clock.set('2026-11-15T16:00:00Z');
  await ensurePartitions(pool, new Date('2026-08-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  const org = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  admin = await signedInAs(test, 'admin', org);
  const postpaid = { type: 'postpaid bundle', reset_cycle: 'month', duration_days: null } as const;
  for (const [code, quota] of [
    ['SMALL', 10],
    ['LARGE', 100],
  ] as const) {
    const own = { code, quota_bytes: quota * megabyte, orderable: true, overage_policy: 'billing' } as const;
    await createBundle(pool, bundleOf({ ...postpaid, ...own }));
  }
  const bundles = { SMALL: { cycle: '5', over: '0.50' }, LARGE: { cycle: '6', over: '0.50' } };
  const versions = [{ starts_on: '2026-01-01', bundles, zones: { rest: '1' } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
  await pool.query(
    `with made as (
       insert into sims (org_id, iccid, imsi, lifecycle, lifecycle_changed_at, activated_at, bundle_id)
       select $1, '8934070' || lpad(i::text, 12, '0'), (262010000000000 + i)::text, 23, now(), '2026-01-01', b.id
       from generate_series(1, $2::int) i, bundles b where b.code = 'SMALL' returning id, org_id, bundle_id, activated_at),
     ordered as (
       insert into bundle_orders (sim_id, org_id, bundle_id, status, ordered_at, activated_at)
       select id, org_id, bundle_id, 'in use', activated_at, activated_at from made),
     closed as (
       insert into usage_cycles (sim_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
       select id, '2026-09-30T16:00:00Z', '2026-10-31T16:00:00Z', $3::int8 * 31, $3::int8 * 10 from made)
     insert into sim_live (sim_id, org_id, cycle_started_at, cycle_ends_at, used_bytes, limit_bytes)
     select id, org_id, '2026-10-31T16:00:00Z', '2026-11-30T16:00:00Z', $3::int8 * 15, $3::int8 * 10 from made
     on conflict (sim_id) do update set cycle_started_at = excluded.cycle_started_at,
       cycle_ends_at = excluded.cycle_ends_at, used_bytes = excluded.used_bytes, limit_bytes = excluded.limit_bytes`,
    [org.id, sims, megabyte],
  );
  await pool.query('analyze sims, bundle_orders, usage_cycles, sim_live');
});
afterAll(() => test.close());

it('is computed for 10,000 SIMs by the job, and read immediately by calls', async () => {
  const due = { pool: test.database.pool, now: test.clock.now() };
  await computeDueEstimates(due);
  await computeDueOffers(due);
  const times: number[] = [];
  for (let call = 0; call < 20; call += 1) {
    const start = performance.now();
    const { estimate } = (await admin.call(finance.estimate, {})).body.data;
    const { offers } = (await admin.call(finance.offers, {})).body.data;
    times.push(performance.now() - start);
    expect(estimate?.currencies[0]?.parts).toMatchObject([
      { kind: 'cycle', so_far_minor: sims * 500, expected_minor: sims * 500, high_minor: sims * 500 },
      // 15 MB by now and 30 MB by the end, of 10.
      { kind: 'over-quota', so_far_minor: sims * 250, expected_minor: sims * 1000 },
    ]);
    // 5.00 and 21 MB × 0.50, instead of 6.00.
    expect(offers?.offers).toMatchObject([{ sims, was_minor: sims * 1550, would_minor: sims * 600 }]);
  }
  expect(times.toSorted((one, other) => one - other)[times.length / 2]).toBeLessThan(callMs);
});
