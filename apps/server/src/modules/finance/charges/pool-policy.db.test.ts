import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared, type TestPool } from '../../../testing/pools.ts';
import { applyPrices, importUsage, makePricedBundles, tariff } from '../../../testing/prices.ts';
import { operatorActor } from '../../audit/index.ts';
import { rollOverPoolsAt, setPool } from '../../pool/index.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import { runDueBilling } from '../finance.jobs.ts';

const megabyte = 2 ** 20;

let test: TestApp;
let shared: TestPool;
let sim: { id: number; iccid: string };
const pool = () => test.database.pool;

beforeAll(async () => {
  test = await testApp();
  test.clock.set('2026-10-01T02:00:00Z');
  await ensurePartitions(pool(), new Date('2026-08-01T00:00:00Z'), new Date('2027-03-31T00:00:00Z'));
  await makeOrganisation(test, { code: 'operator' });
  const acme = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  await makePricedBundles(pool());
  shared = await makePool(pool(), acme.id, {
    now: test.clock.now(),
    bundle: 'SHARED',
    quotaBytes: 10 * megabyte,
    policy: 'no limit',
  });
  const versions = [{ starts_on: '2026-01-01', pool: { over: '0.01' } }];
  await applyPrices(test, { tariffs: [tariff({ versions })], organisations: ['acme'] });
  sim = await makeSim(pool(), acme.id, { lifecycle: 'active' });
  await orderShared(pool(), shared, [sim.iccid], test.clock.now());
  await shared.enrol([sim.id], test.clock.now());
});
afterAll(() => test.close());

const billAt = async (now: string) => {
  test.clock.set(now);
  await turnDueCycles({ pool: pool(), now: test.clock.now() });
  await rollOverPoolsAt(pool(), test.clock.now());
  await runDueBilling({ pool: pool(), clock: test.clock });
};
const change = async (policy: TestPool['spec']['policy'], now: string) => {
  test.clock.set(now);
  const by = { actor: operatorActor(), at: test.clock.now() };
  await inTransaction(pool(), (tx) => setPool(tx, { ...shared.spec, policy }, by));
};
const use = async (at: string, megabytes: number) => {
  test.clock.set(at);
  await importUsage(test, sim.iccid, [{ at, bytes: megabytes * megabyte, country: 'DE' }]);
};
const lines = async () =>
  (
    await pool().query<{ text: string }>(
      `select concat_ws(' ', to_char(b.month_on, 'YYYY-MM'), n.kind, n.quantity, to_char(n.corrects_on, 'YYYY-MM')) as text
       from bill_lines n join bills b on b.id = n.bill_id order by b.month_on, n.line`,
    )
  ).rows.map(({ text }) => text);

it('charges an ended cycle by the policy that the pool had then, and the running one by the new policy', async () => {
  await use('2026-10-20T00:00:00Z', 12);
  await billAt('2026-11-02T16:30:00Z');
  await use('2026-11-09T00:00:00Z', 15);
  await change('stop overage SIMs', '2026-11-10T00:00:00Z');
  await billAt('2026-12-02T16:30:00Z');
  await change('no limit', '2026-12-10T00:00:00Z');
  await use('2026-12-20T00:00:00Z', 11);
  await billAt('2027-01-02T16:30:00Z');
  expect(await lines()).toEqual(['2026-10 over-pool-limit 2', '2026-12 over-pool-limit 1']);
});
