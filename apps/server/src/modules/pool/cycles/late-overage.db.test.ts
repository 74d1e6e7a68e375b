import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { makePool, orderShared } from '../../../testing/pools.ts';
import { radiusInventory } from '../../../testing/radius.ts';
import { addToPools } from '../index.ts';
import { poolConsumers } from '../pool.consumers.ts';
import type { poolUsageCrossed } from '../pool.events.ts';
import { rollOverPools } from '../rollover.service.ts';

const log = createLog({ level: 'silent', format: 'json' });
const started = new Date('2026-10-31T16:00:00Z');
const ended = new Date('2026-11-30T16:00:00Z');
const clock = new FixedClock('2026-11-21T12:00:00Z');

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** A pool of 1,000 bytes, whose member uses some more in November, as becomes known later. */
const november = async () => {
  const { pool } = database;
  clock.set(new Date('2026-11-21T12:00:00Z'));
  const sims = await radiusInventory(database, 1);
  const since = new Date(started.getTime() - 24 * hourMs);
  const shared = await makePool(pool, sims.orgId, { now: since, quotaBytes: 1000 });
  await orderShared(pool, shared, [sims.iccid(0)], since);
  await shared.enrol(sims.ids, since);
  await rollOverPools({ pool, now: clock.now(), log });
  const simId = sims.ids[0] ?? 0;
  return {
    use: (up: number, at = new Date(ended.getTime() - hourMs)) =>
      inTransaction(pool, (tx) => addToPools(tx, [{ simId, at: at.getTime(), up, down: 0 }])),
    /** Another SIM joins with 1,000 bytes of its own. */
    join: async (at: Date) => {
      clock.set(at);
      const { id, iccid } = await makeSim(pool, sims.orgId, { lifecycle: 'active' });
      await orderShared(pool, shared, [iccid], at);
      await shared.enrol([id], at);
    },
    turn: () => {
      clock.set(new Date('2026-12-01T08:00:00Z'));
      return rollOverPools({ pool, now: clock.now(), log });
    },
    /** Delivers the facts as the relay does. */
    evaluate: async (without: (keyof z.output<typeof poolUsageCrossed.payload>)[] = []) => {
      const { rows } = await pool.query<{ payload: object }>(
        `delete from outbox where topic = 'pool.usage-crossed' and org_id = $1 returning payload - $2::text[] as payload`,
        [sims.orgId, without],
      );
      const facts = rows.map(({ payload }) => {
        const topic = 'pool.usage-crossed';
        return { topic, orgId: sims.orgId, payload, createdAt: clock.now() };
      });
      const consumer = poolConsumers({ clock }).find(({ topics }) => topics.has('pool.usage-crossed'));
      if (!consumer?.handleAll) throw new Error('no such consumer');
      await inTransaction(pool, (tx) => consumer.handleAll?.(tx, facts) ?? Promise.resolve(0));
    },
    events: async () =>
      (
        await pool.query(
          `select kind, at, used_bytes::int as used, limit_before_bytes::int as before, limit_after_bytes::int as after
           from pool_events where pool_id = $1 and kind in ('pool overage', 'overage recovery')
           order by id`,
          [shared.id],
        )
      ).rows,
    stopped: async () =>
      (
        await pool.query('select sim_id from sim_live where sim_id = $1 and pool_stopped_until > $2', [
          simId,
          clock.now(),
        ])
      ).rowCount,
  };
};

const overage = { kind: 'pool overage', at: new Date(ended.getTime() - 1), before: 1000, after: 1000 };
const recovery = { kind: 'overage recovery', at: ended, before: 1000, after: 1000 };

it('a pool that late records take over the limit of the former cycle records its overage, once, and stops nobody', async () => {
  const pool = await november();
  await pool.use(900);
  await pool.evaluate();
  await pool.turn();
  await pool.use(50);
  await pool.evaluate();
  expect(await pool.events()).toEqual([]);
  await pool.use(400);
  await pool.evaluate();
  await pool.use(2000);
  await pool.evaluate();
  expect(await pool.events()).toEqual([
    { ...overage, used: 1350 },
    { ...recovery, used: 1350 },
  ]);
  expect(await pool.stopped()).toBe(0);
});

it('the recovery has the limit with which the next cycle began, not that of members who joined since', async () => {
  const pool = await november();
  await pool.turn();
  await pool.join(new Date('2026-12-01T09:00:00Z'));
  await pool.use(1500);
  await pool.evaluate();
  expect(await pool.events()).toEqual([
    { ...overage, used: 1500 },
    { ...recovery, used: 1500 },
  ]);
});

it('a crossing that is only evaluated when the cycle is over belongs to it', async () => {
  const pool = await november();
  await pool.use(1500);
  clock.set(new Date('2026-11-30T16:00:01Z'));
  await pool.evaluate();
  await pool.turn();
  expect(await pool.events()).toEqual([
    { ...overage, used: 1500 },
    { ...recovery, used: 1500 },
  ]);
});

it('a fact of an earlier version, without a cycle, is about the running one', async () => {
  const pool = await november();
  await pool.use(1500, new Date('2026-11-20T00:00:00Z'));
  await pool.evaluate(['cycleStartedAt']);
  expect(await pool.events()).toMatchObject([{ kind: 'pool overage', at: clock.now() }]);
});
