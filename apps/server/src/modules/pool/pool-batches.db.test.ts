import { dayMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createMetrics } from '../../platform/metrics/index.ts';
import { type Consumer, consumeOnce, registerConsumers } from '../../platform/outbox/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { waitForBlockedStatements } from '../../testing/locks.ts';
import { waitForOlderTransactions } from '../../testing/older-transactions.ts';
import { makePool, orderShared, type TestPool } from '../../testing/pools.ts';
import { radiusInventory, type TestSims } from '../../testing/radius.ts';
import { sumTerms } from './cycles/cycle.views.ts';
import { addToPools } from './index.ts';
import { exitSims, syncMemberships } from './membership/membership.service.ts';
import { poolConsumers } from './pool.consumers.ts';

/** Facts that arrive together are applied together. */

const clock = new FixedClock('2026-11-21T12:00:00Z');
const month = new Date('2026-10-31T16:00:00Z');
const report = { log: createLog({ level: 'silent', format: 'json' }), metrics: createMetrics() };
const factsPerBatch = 200;
let database: Database;
let consumers: Consumer[];

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
  consumers = poolConsumers({ clock });
  await registerConsumers(database.pool, consumers);
});
afterAll(() => database.close());

const consumeReadable = async (name: string): Promise<void> => {
  const consumer = consumers.find((one) => one.name === name);
  if (!consumer) throw new Error(`There is no consumer ${name}`);
  while ((await consumeOnce(database.pool, consumer, report)).handled > 0);
};
const consume = async (name: string): Promise<void> => {
  await waitForOlderTransactions(database.pool);
  await consumeReadable(name);
};

/** An automatic pool whose SIMs were activated, as facts that no consumer has read. */
const activated = async (count: number): Promise<{ sims: TestSims; shared: TestPool }> => {
  const sims = await radiusInventory(database, count);
  const shared = await makePool(database.pool, sims.orgId, {
    now: new Date(month.getTime() - dayMs),
    quotaBytes: 1000,
    opt_in: 'automatic',
  });
  await Promise.all(consumers.map(({ name }) => consume(name)));
  const iccids = sims.ids.map((_, index) => sims.iccid(index));
  await orderShared(database.pool, shared, iccids, clock.now());
  return { sims, shared };
};

const count = async (text: string, id: number): Promise<number> =>
  (await database.pool.query<{ count: number }>(`select count(*)::int as count from ${text}`, [id])).rows[0]
    ?.count ?? 0;

describe('thousands of SIMs that are activated together', () => {
  it('join their pool with one change and one evaluation for each batch of facts, not for each SIM', async () => {
    const { sims, shared } = await activated(2000);
    await consume('pool.follow-orders');
    const batches = sims.ids.length / factsPerBatch;
    expect(await count('pool_members where pool_id = $1 and activated_at is not null', shared.id)).toBe(2000);
    expect(await sumTerms(database.pool, shared.id, month)).toBe(2_000_000);
    const { rows } = await database.pool.query(
      `select sims from pool_events where pool_id = $1 and kind = 'SIM enrollment'`,
      [shared.id],
    );
    expect(rows).toEqual(Array.from({ length: batches }, () => ({ sims: factsPerBatch })));
    // One more from when the pool was created.
    expect(
      await count(`outbox where topic = 'pool.judged' and (payload->>'poolId')::int = $1`, shared.id),
    ).toBe(batches + 1);
  });

  it('are locked before their pool’s counter, which intake locks after them', async () => {
    const { sims, shared } = await activated(2);
    const [, last] = sims.ids;
    await database.pool.query(
      'insert into pool_counters (pool_id, cycle_started_at, shard, used_bytes, crossed) values ($1, $2, 1, 10, false)',
      [shared.id, month],
    );
    await waitForOlderTransactions(database.pool);
    const intake = await database.pool.connect();
    try {
      await intake.query('begin');
      await intake.query('select from sim_live where sim_id = $1 for update', [last]);
      const follows = consumeReadable('pool.follow-orders');
      await waitForBlockedStatements(database.pool);
      await intake.query("set local lock_timeout = '5s'");
      await intake.query('update pool_counters set used_bytes = 20 where pool_id = $1', [shared.id]);
      await intake.query('commit');
      await follows;
    } finally {
      intake.release();
    }
    expect(await count('pool_members where pool_id = $1 and left_at is null', shared.id)).toBe(2);
    expect(await count('dead_lettered_facts where org_id = $1', sims.orgId)).toBe(0);
  });
});

describe('a member that leaves while it is being stopped', () => {
  it('has service again', async () => {
    const { sims, shared } = await activated(1);
    await consume('pool.follow-orders');
    await inTransaction(database.pool, (tx) =>
      addToPools(tx, [{ simId: sims.ids[0] ?? 0, at: clock.now().getTime(), up: 2000, down: 0 }]),
    );
    await consume('pool.judge-usage');
    await waitForOlderTransactions(database.pool);
    const leaving = await database.pool.connect();
    try {
      await leaving.query('begin');
      await exitSims(leaving, { simIds: sims.ids, reason: 'ordered', now: clock.now() });
      const stops = consumeReadable('pool.enforce');
      await waitForBlockedStatements(database.pool);
      await leaving.query('commit');
      await stops;
    } finally {
      leaving.release();
    }
    const { rows } = await database.pool.query(
      'select pool_stopped_until as until from sim_live where sim_id = any($1)',
      [sims.ids],
    );
    expect(rows).toEqual([{ until: null }]);
    expect(await count(`pool_events where pool_id = $1 and kind = 'pool overage'`, shared.id)).toBe(1);
  });
});

describe('an order that started', () => {
  it('locks no SIM that it does not affect: facts of many arrive together, and intake locks them in another order', async () => {
    const { sims } = await activated(2);
    await consume('pool.follow-orders');
    const others = await radiusInventory(database, 2);
    const [member] = sims.ids;
    const [other] = others.ids;
    const intake = await database.pool.connect();
    try {
      await intake.query('begin');
      await intake.query('select from sim_live where sim_id = any($1) for update', [[member, other]]);
      await inTransaction(database.pool, async (tx) => {
        await tx.query("set local lock_timeout = '2s'");
        for (const simId of [member, other])
          await syncMemberships(tx, { simIds: [Number(simId)], now: clock.now() });
      });
    } finally {
      await intake.query('rollback');
      intake.release();
    }
  });
});
