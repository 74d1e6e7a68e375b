import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles, tariff } from '../../testing/prices.ts';
import { historyDays, makeBills } from './demo-bills.ts';

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  await ensurePartitions(pool, new Date('2026-05-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool);
  await applyPrices(test, { tariffs: [tariff()], organisations: ['operator'] });
  const now = new Date('2026-09-01T02:00:00Z');
  test.clock.set(now.toISOString());
  const { id: orgId } = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makeSimWithBundles(test, { orgId, now });
});
afterAll(() => test.close());

it('before the 3rd, the month that ended has drafts', async () => {
  const { pool } = test.database;
  await makeBills({ pool, at: new Date('2026-12-01T12:00:00Z'), days: historyDays });
  const { rows } = await pool.query<{ month: string; state: string }>(
    `select distinct to_char(month_on, 'YYYY-MM') as month, status as state from bills
     where month_on >= '2026-10-01' order by 1`,
  );
  expect(rows).toEqual([
    { month: '2026-10', state: expect.stringMatching(/published|paid/) },
    { month: '2026-11', state: 'draft' },
  ]);
});
