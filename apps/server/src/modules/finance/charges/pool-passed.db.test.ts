import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makePool } from '../../../testing/pools.ts';
import { applyPrices, makePricedBundles, tariff } from '../../../testing/prices.ts';
import { rollOverPoolsAt } from '../../pool/index.ts';
import { runDueBilling } from '../finance.jobs.ts';

let test: TestApp;
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-22T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  const acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makePricedBundles(pool());
  await makePool(pool(), acme.id, { now: test.clock.now(), bundle: 'SHARED', resetCycle: 'day' });
  const versions = [{ starts_on: '2026-01-01', pool: { cycle: '1' } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
});
afterAll(() => test.close());

it('charges a day pool’s cycles that passed while no worker ran, and none before the pool existed', async () => {
  for (const worked of ['2026-10-22T16:30:00Z', '2026-10-26T16:30:00Z', '2026-11-02T16:30:00Z']) {
    test.clock.set(worked);
    await rollOverPoolsAt(pool(), test.clock.now());
  }
  await runDueBilling({ pool: pool(), clock: test.clock });
  const { rows } = await pool().query<{ text: string }>(
    `select concat_ws(' ', n.kind, count(*), sum(n.quantity), min(n.pool_cycle_at) at time zone 'UTC') as text
     from bill_lines n join bills b on b.id = n.bill_id where b.status = 'published' group by n.kind`,
  );
  expect(rows.map(({ text }) => text)).toEqual(['pool-cycle 10 10 2026-10-21 16:00:00']);
});
