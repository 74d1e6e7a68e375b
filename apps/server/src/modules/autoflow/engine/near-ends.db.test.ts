import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { firingsOf, makeRule } from '../../../testing/autoflow-rules.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { timeConsumers } from './time.consumers.ts';
import { evaluateTimes } from './time.service.ts';

const clock = new FixedClock('2026-11-20T10:00:00Z');
const at = '2026-11-20T10:05:00.000Z';

let database: Database;
let sims: TestSims;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  sims = await radiusInventory(database, 2);
});

/** Delivers a fact as the relay does. */
const happens = (topic: string, payload: unknown) =>
  inTransaction(database.pool, async (tx) => {
    for (const consumer of timeConsumers(clock)) {
      if (consumer.topics.has(topic))
        await consumer.handle(tx, { topic, orgId: sims.orgId, payload, createdAt: clock.now() });
    }
  });
const firings = async () =>
  (await firingsOf(database.pool, sims.orgId)).map(({ rule_id, key }) => [rule_id, key]);

describe('a rule on time', () => {
  it('fires once for a lifecycle end that is already within its days when it becomes known', async () => {
    const [simId, later] = sims.ids;
    const expiry = (days: number) =>
      makeRule(
        database.pool,
        { orgId: sims.orgId },
        { trigger: { kind: 'lifecycle-expiry', days }, armedAt: clock.now() },
      );
    const near = await expiry(30);
    await expiry(3);
    await database.pool.query(
      `update sims set expires_at = case id when $1 then timestamptz '2026-11-30Z' else '2026-12-31Z' end
       where id = any($2)`,
      [simId, sims.ids],
    );
    const known = () => happens('bundle.lifecycle-ends-moved', { simIds: [simId, later] });
    await known();
    await known();
    clock.set(new Date('2026-11-20T10:01:00Z'));
    await evaluateTimes({ pool: database.pool, clock }, { orgId: sims.orgId });
    clock.set(new Date('2026-11-20T10:00:00Z'));
    expect(await firings()).toEqual([[near, 'expires 2026-11-30T00:00:00.000Z']]);
    const forNewOwner = await expiry(45);
    const moved = { sims: [{ simId, iccid: sims.iccid(0) }], from: 'a', to: 'b', actor: null, at };
    await happens('sim.transferred', { ...moved, side: 'from' });
    expect(await firings()).toHaveLength(1);
    await happens('sim.transferred', { ...moved, side: 'to' });
    await happens('sim.transferred', { ...moved, side: 'to' });
    expect(await firings()).toEqual([
      [near, 'expires 2026-11-30T00:00:00.000Z'],
      [forNewOwner, 'expires 2026-11-30T00:00:00.000Z'],
    ]);
  });

  it('fires at most three times in a row for ends that its own operations bring nearer', async () => {
    const [simId] = sims.ids;
    await makeRule(
      database.pool,
      { orgId: sims.orgId },
      { trigger: { kind: 'lifecycle-expiry', days: 30 }, armedAt: clock.now() },
    );
    for (const step of [1, 2, 3, 4]) {
      await database.pool.query('update sims set expires_at = $2 where id = $1', [
        simId,
        `2026-12-${20 - step}Z`,
      ]);
      await happens('bundle.lifecycle-ends-moved', { simIds: [simId], task: `T${step}` });
      await database.pool.query('update autoflow_firing_actions set task = $1 where task is null', [
        `T${step + 1}`,
      ]);
    }
    expect(await firings()).toHaveLength(3);
  });

  it('fires once for an unused pre-activation that ends within its days when the SIM is imported', async () => {
    const unused = (unused_days: number) =>
      makeRule(
        database.pool,
        { orgId: sims.orgId },
        { trigger: { kind: 'first-use', unused_days }, armedAt: clock.now() },
      );
    const near = await unused(30);
    await unused(3);
    await database.pool.query(
      `update sims set lifecycle = 10, pre_activation_ends_at = '2026-11-30Z' where id = any($1)`,
      [sims.ids],
    );
    await database.pool.query('update sim_live set last_seen_at = $2 where sim_id = $1', [
      sims.ids[1],
      clock.now(),
    ]);
    const imported = () => happens('sim.imported', { count: 2, simIds: sims.ids });
    await imported();
    await imported();
    const fired = [near, 'unused until 2026-11-30T00:00:00.000Z'];
    expect(await firings()).toEqual([fired]);
    const later = await unused(45);
    const moved = {
      sims: [{ simId: sims.ids[0], iccid: sims.iccid(0) }],
      from: 'a',
      to: 'b',
      actor: null,
      at,
    };
    await happens('sim.transferred', { ...moved, side: 'from' });
    expect(await firings()).toEqual([fired]);
    await happens('sim.transferred', { ...moved, side: 'to' });
    expect(await firings()).toEqual([fired, [later, fired[1]]]);
  });
});
