import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { applyPrices, makePricedBundles, makeSimWithBundles } from '../../testing/prices.ts';
import { turnDueCycles } from '../usage/cycle-turns.service.ts';
import { listCustomers } from './customers.views.ts';
import { draftMonth } from './drafts/draft.service.ts';
import { publishMonth } from './publication/publication.service.ts';

let test: TestApp;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T00:00:00Z');
  await ensurePartitions(pool(), new Date('2026-09-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  await makePricedBundles(pool());
  const { id: orgId } = await makeOrganisation(test, { code: 'one', parentCode: 'operator' });
  await applyPrices(test, { organisations: ['one'] });
  await makeSimWithBundles(test, { orgId, now: new Date('2026-10-01T02:00:00Z') });
});
afterAll(() => test.close());

it('drafts and publishes a month once, however many workers run', async () => {
  test.clock.set('2026-10-31T16:30:00Z');
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  const [customer] = await listCustomers(pool(), 'one');
  if (!customer) throw new Error('No such customer');
  const now = test.clock.now();
  const work = { customer, month: '2026-10', now, since: now };
  const done = <T>(results: readonly (T | undefined)[]) => results.filter((result) => result !== undefined);
  const drafts = await Promise.all([1, 2, 3].map(() => draftMonth(pool(), work)));
  expect(done(drafts)).toEqual([1]);
  const published = await Promise.all([1, 2, 3].map(() => publishMonth(pool(), work)));
  expect(done(published)).toEqual([{ published: 1, held: 0 }]);
});
