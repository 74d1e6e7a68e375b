import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ensurePartitions } from '../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { bundleOf } from '../../testing/bundles.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, tariff } from '../../testing/prices.ts';
import { createBundle } from '../bundle/index.ts';
import { turnDueCycles } from '../usage/cycle-turns.service.ts';
import { runDueBilling } from './finance.jobs.ts';

let test: TestApp;
let orgId: number;
let made = 0;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-09-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-07-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  await createBundle(
    pool(),
    bundleOf({ code: 'MONTH', type: 'postpaid bundle', reset_cycle: 'month', duration_days: null }),
  );
  const versions = [{ starts_on: '2026-01-01', bundles: { MONTH: { cycle: '4.99' } } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['operator'] });
});
beforeEach(async () => {
  test.clock.set('2026-09-01T00:00:00Z');
  made += 1;
  orgId = (await makeOrganisation(test, { code: `customer-${made}`, parentCode: 'operator' })).id;
  await makeSimWithBundles(test, { orgId, now: new Date('2026-09-01T02:00:00Z'), bundles: ['MONTH'] });
});
afterAll(() => test.close());

const workAt = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const published = async () =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', to_char(month_on, 'YYYY-MM'), status, total_minor, (issued_at at time zone 'UTC')::date) as text
       from bills where org_id = $1 order by month_on`,
      [orgId],
    )
  ).rows.map(({ text }) => text);

it('months that ended while no worker ran are billed when it runs again, once', async () => {
  await workAt('2026-10-02T16:30:00Z');
  await workAt('2026-12-02T16:30:00Z');
  await workAt('2026-12-02T17:30:00Z');
  expect(await published()).toEqual([
    '2026-09 published 499 2026-10-02',
    '2026-10 published 499 2026-12-02',
    '2026-11 published 499 2026-12-02',
  ]);
});

it('a first month that was drafted, but not published in time, is billed', async () => {
  await workAt('2026-09-30T16:30:00Z');
  await workAt('2026-11-02T16:30:00Z');
  expect(await published()).toEqual(['2026-09 published 499 2026-11-02', '2026-10 published 499 2026-11-02']);
});

it('bills of a new customer begin with the due month', async () => {
  await workAt('2026-11-02T16:30:00Z');
  expect(await published()).toEqual(['2026-10 published 499 2026-11-02']);
});
