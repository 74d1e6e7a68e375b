import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { runJobs } from '../../../testing/jobs.ts';
import {
  applyPrices,
  type CountryRecord,
  importUsage,
  makePricedBundles,
  makeSimWithBundles,
} from '../../../testing/prices.ts';

const { autoflow: calls } = endpoints;
const mb = 2 ** 20;

let test: TestApp;
let acme: Awaited<ReturnType<typeof makeOrganisation>>;
let other: typeof acme;

/** The bundle has 10 MB from midnight to midnight (UTC), and each further megabyte costs 1.5 cents; Japan is charged by zone. */
const used = async (organisation: typeof acme, records: readonly CountryRecord[]) => {
  const sim = await makeSimWithBundles(test, {
    orgId: organisation.id,
    now: new Date('2026-11-19T16:00:00Z'),
  });
  await importUsage(test, sim.iccid, records);
  return sim;
};
const replayed = async (
  client: TestClient,
  threshold: { unit: 'MB' | '%'; amount: number },
  period: 'cycle' | 'day' = 'cycle',
) => {
  const trigger = { kind: 'data-usage', period, threshold } as const;
  const begun = await client.call(calls.replay, { body: { trigger } });
  await runJobs(test.database, test.wiring.jobs);
  const { data } = (await client.call(calls.readReplay, { params: { replayId: begun.body.data.id } })).body;
  return { state: data.state, firings: data.firings, overage: data.overage };
};

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  await ensurePartitions(pool, new Date('2026-09-01T00:00:00Z'), test.clock.now());
  await makeOrganisation(test, { code: 'operator' });
  acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  other = await makeOrganisation(test, { code: 'other', parentCode: 'operator' });
  await makePricedBundles(pool);
  await applyPrices(test, { organisations: ['acme'] });
  await used(acme, [
    { at: '2026-11-20T01:00:00Z', bytes: 9 * mb, country: 'DE' },
    { at: '2026-11-20T02:00:00Z', bytes: 3 * mb, country: 'DE' },
    { at: '2026-11-20T03:00:00Z', bytes: 50 * mb, country: 'JP' },
    { at: '2026-11-20T04:00:00Z', bytes: 100 * mb, country: 'DE' },
    { at: '2026-11-21T01:00:00Z', bytes: 9 * mb, country: 'DE' },
  ]);
  await used(other, [{ at: '2026-11-20T01:00:00Z', bytes: 200 * mb, country: 'DE' }]);
});
afterAll(() => test.close());

describe('the overage in a replay', () => {
  it('equals the overage charged after the record that would have made the rule fire', async () => {
    const admin = await signedInAs(test, 'admin', acme);
    const of = (cents: number) => [{ currency: 'EUR', amount_minor: cents }];
    // 102 MB beyond the quota of 10 in total: 153 cents, none of it for usage that is charged by Japan's zone.
    expect(await replayed(admin, { unit: '%', amount: 80 })).toMatchObject({ firings: 2, overage: of(153) });
    // The record that reached 12 MB had 2 of them beyond the quota.
    expect(await replayed(admin, { unit: 'MB', amount: 11 })).toMatchObject({ firings: 1, overage: of(150) });
    expect(await replayed(admin, { unit: 'MB', amount: 60 })).toMatchObject({ firings: 1, overage: of(150) });
    expect(await replayed(admin, { unit: 'MB', amount: 100 })).toMatchObject({ firings: 1, overage: of(0) });
    expect(await replayed(admin, { unit: 'MB', amount: 500 })).toMatchObject({ firings: 0, overage: of(0) });
  });

  it('is empty without a tariff, and absent for other periods', async () => {
    const admin = await signedInAs(test, 'admin', other);
    expect(await replayed(admin, { unit: '%', amount: 80 })).toMatchObject({ firings: 1, overage: [] });
    expect(await replayed(admin, { unit: 'MB', amount: 80 }, 'day')).toMatchObject({
      firings: 1,
      overage: null,
    });
  });
});
