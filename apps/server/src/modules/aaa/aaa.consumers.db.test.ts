import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { bundleOf, testBundles } from '../../testing/bundles.ts';
import { testDatabase } from '../../testing/database.ts';
import { dataState } from '../sim/index.ts';
import { usageThresholdCrossed } from '../usage/index.ts';
import { aaaConsumers } from './aaa.consumers.ts';

const now = new Date('2026-09-01T00:00:00Z');

let database: Database;
let org: Awaited<ReturnType<typeof testBundles>>;

beforeAll(async () => {
  database = await testDatabase();
  org = await testBundles(database, [
    bundleOf({ code: 'B30' }),
    bundleOf({ code: 'TEST', type: 'test plan', duration_days: 5, quota_bytes: 400 }),
    bundleOf({ code: 'PACK', type: 'prepaid supplementary', quota_bytes: 300 }),
  ]);
});
afterAll(() => database.close());

it.each([
  ['a SIM in service', 'active', ['B30', 'B30'], 1],
  ['a SIM on a test plan', 'pre-activated', ['TEST'], 1],
  ['a SIM on a test plan that a supplement follows only', 'pre-activated', ['TEST', 'PACK'], 1],
  ['a SIM on a test plan, unless a pending bundle follows', 'pre-activated', ['TEST', 'B30'], 0],
] as const)('A used-up quota ends the sessions of %s', async (_, lifecycle, orders, jobs) => {
  const sim = await org.sim(lifecycle);
  for (const code of orders) await org.order([sim], code, now);
  const payload = usageThresholdCrossed.payload.parse({
    simId: sim.id,
    iccid: sim.iccid,
    usedBytes: 400,
    thresholdBytes: 400,
    limitBytes: 400,
    overLimit: true,
    dataState: dataState.stopped,
    rateKbps: null,
    at: now.toISOString(),
  });
  const consumer = aaaConsumers.find(({ name }) => name === 'aaa.enforce-usage');
  await inTransaction(database.pool, async (tx) => {
    await consumer?.handle(tx, { topic: usageThresholdCrossed.topic, orgId: 1, payload, createdAt: now });
  });
  const { rows } = await database.pool.query(
    `select payload ->> 'reason' as reason from graphile_worker._private_jobs where payload ->> 'simId' = $1`,
    [String(sim.id)],
  );
  expect(rows).toEqual(Array.from({ length: jobs }, () => ({ reason: 'quota-used' })));
});
