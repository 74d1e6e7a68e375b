import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
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
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { runDueBilling } from '../finance.jobs.ts';

const megabyte = 2 ** 20;

let test: TestApp;
let sim: { id: number; iccid: string };
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  const acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({
      code: 'MONTH',
      type: 'postpaid bundle',
      quota_bytes: 10 * megabyte,
      overage_policy: 'billing',
      reset_cycle: 'month',
      duration_days: null,
    }),
  );
  const versions = [{ starts_on: '2026-01-01', bundles: { MONTH: { over: '0.01' } } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
  const order = { orgId: acme.id, now: new Date('2026-10-01T02:00:00Z'), bundles: ['MONTH'] };
  sim = await makeSimWithBundles(test, order);
});
afterAll(() => test.close());

const use = (at: string, megabytes: number) =>
  importUsage(test, sim.iccid, [{ at, bytes: megabytes * megabyte, country: 'DE' }]);
const rename = (name: string) => pool().query("update bundles set name = $1 where code = 'MONTH'", [name]);
const billAt = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const overage = async () =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', to_char(b.month_on, 'YYYY-MM'), n.bundle_name, n.quantity::int) as text
       from bill_lines n join bills b on b.id = n.bill_id where n.kind = 'over-quota' order by b.month_on`,
    )
  ).rows.map(({ text }) => text);

it('is corrected by what was charged under all its names', async () => {
  await rename('Standard');
  test.clock.set('2026-10-31T00:00:00Z');
  await use('2026-10-10T00:00:00Z', 13);
  await billAt('2026-11-02T16:30:00Z');
  await rename('Monthly');
  await use('2026-10-11T00:00:00Z', 2);
  await billAt('2026-12-02T16:30:00Z');
  await use('2026-10-12T00:00:00Z', 1);
  await billAt('2027-01-02T16:30:00Z');
  expect(await overage()).toEqual(['2026-10 Standard 3', '2026-11 Monthly 2', '2026-12 Monthly 1']);
});
