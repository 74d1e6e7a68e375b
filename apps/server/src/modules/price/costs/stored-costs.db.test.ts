import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import {
  applyPrices,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
  takeRises,
} from '../../../testing/prices.ts';
import { listPooledSpans } from '../../pool/index.ts';
import { networkUsage } from '../../usage/index.ts';
import { invalidateCosts } from '../index.ts';
import { refreshStoredCosts } from './stored-costs.service.ts';

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
  await makePricedBundles(test.database.pool);
});
afterAll(() => test.close());

const keep = () => {
  const { pool } = test.database;
  return refreshStoredCosts({ pool, networkUsage, listPooledSpans }, new AbortController().signal);
};

describe('the stored cost of a SIM', () => {
  it('rises from its amount before a change of prices, so that rules find no crossing from before', async () => {
    const org = await makeOrganisation(test, { code: 'acme' });
    await applyPrices(test, { organisations: ['acme'] });
    const now = new Date('2026-11-21T03:20:00Z');
    const { id, iccid } = await makeSimWithBundles(test, { orgId: org.id, now });
    await keep();
    await takeRises(test);
    await inTransaction(test.database.pool, invalidateCosts);
    await importUsage(test, iccid, [{ at: '2026-11-21T05:00:00Z', bytes: 2 ** 20, country: 'US' }]);
    await keep();
    const { rows } = await test.database.pool.query(
      `select payload -> 'sims' -> 0 -> 'feesMicros' as fees from outbox where topic = 'price.costs-risen'`,
    );
    expect(rows).toEqual([{ fees: 5_990_000 }]);
    expect(await takeRises(test)).toEqual([[id, 'EUR', 599, 599 + 150]]);
  });
});
