import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { duringBatch } from '../../../testing/batch-in-progress.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { testDatabase } from '../../../testing/database.ts';
import { expectPoolsVerified, makePool, orderShared } from '../../../testing/pools.ts';
import { radiusInventory } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { createBundle } from '../../bundle/index.ts';
import { endOrdersInUse } from '../../bundle/lifecycle/lifecycle.service.ts';
import { orderBundle } from '../../bundle/lifecycle/ordering.service.ts';
import { sumShards } from '../cycles/cycle.views.ts';
import { countMemberStates } from '../cycles/figures.views.ts';
import { enforcePools, evaluatePool } from '../limit/limit.service.ts';
import { exitSims, syncMemberships } from './membership.service.ts';

const month = new Date('2026-10-31T16:00:00Z');
const monthEnd = new Date('2026-11-30T16:00:00Z');
const clock = new FixedClock('2026-11-21T12:00:00Z');
const second = 1000;
let database: Database;

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
});
afterAll(() => database.close());

type Order = 'own' | 'shared';

/** A SIM in a pool of 100 octets per member, with these orders: the first in use since the month began, others waiting. */
const memberWith = async (orders: readonly Order[]) => {
  const { pool } = database;
  const intake = await testIntake(database, clock);
  const sims = await radiusInventory(database, 1);
  const [iccid, simId] = [sims.iccid(0), sims.ids[0] ?? 0];
  const [code, now] = [`PLAIN-${simId}`, clock.now()];
  const plain = { type: 'postpaid bundle', quota_bytes: 1_000_000, overage_policy: 'stop' } as const;
  await createBundle(pool, bundleOf({ ...plain, code, reset_cycle: 'month', duration_days: null }));
  const shared = await makePool(pool, sims.orgId, { now: month, quotaBytes: 100 });
  const own = { iccids: [iccid], bundleCode: code, count: 1, now: month };
  for (const order of orders) {
    if (order === 'shared') await orderShared(pool, shared, [iccid], month);
    else await inTransaction(pool, (tx) => orderBundle(tx, own));
  }
  await shared.enrol(sims.ids, month);
  const of = { poolId: shared.id, now };
  return {
    /** Cumulative usage of its session at that time. */
    use: (at: number, up: number) =>
      storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(0), at }, { at, up, down: 0 })),
    /** Ends the order in use and begins the next. */
    beginNext: (at = now) => inTransaction(pool, (tx) => endOrdersInUse(tx, { simIds: [simId], now: at })),
    noteOrders: (at = now) => inTransaction(pool, (tx) => syncMemberships(tx, { simIds: [simId], now: at })),
    leave: () =>
      inTransaction(pool, (tx) => exitSims(tx, { simIds: [simId], reason: 'ordered', now: clock.now() })),
    leaveDuringBatch: (since: Date) =>
      duringBatch(pool, { simId, since }, (tx) =>
        exitSims(tx, { simIds: [simId], reason: 'ordered', now: clock.now() }),
      ),
    judged: async () => {
      const found = await inTransaction(pool, (tx) => evaluatePool(tx, of));
      await inTransaction(pool, (tx) => enforcePools(tx, { poolIds: [shared.id], now }));
      const { rows } = await pool.query('select pool_stopped_until from sim_live where sim_id = $1', [simId]);
      const { stopped, overage } = await countMemberStates(pool, { ...of, cycleStart: month });
      return { isOver: found?.cycle.overAt != null, until: rows[0].pool_stopped_until, stopped, overage };
    },
    used: async () => {
      await expectPoolsVerified(pool, now);
      return sumShards(pool, shared.id, month);
    },
    stop: () => intake.stop(),
  };
};

it('a member counts and is stopped from when its order begins: until then its data is that of another bundle', async () => {
  const member = await memberWith(['own', 'shared']);
  const begun = clock.now().getTime();
  await member.use(month.getTime() + second, 500);
  expect(await member.used()).toBe(0);
  expect(await member.judged()).toEqual({ isOver: false, until: null, stopped: 0, overage: 0 });

  await member.beginNext();
  await member.use(begun + second, 800);
  await member.noteOrders();
  expect(await member.used()).toBe(300);
  expect(await member.judged()).toEqual({ isOver: true, until: monthEnd, stopped: 1, overage: 1 });
  await member.use(begun + 2 * second, 820);
  expect(await member.used()).toBe(320);
  await member.stop();
});

it('a member that leaves before its order was recorded leaves its usage to the pool', async () => {
  const member = await memberWith(['own', 'shared']);
  await member.use(month.getTime() + second, 500);
  await member.beginNext();
  await member.use(clock.now().getTime() + second, 540);
  await member.leave();
  await member.noteOrders();
  expect(await member.used()).toBe(40);
  await member.stop();
});

it('a member whose next order is of another bundle waits again until its further order of the pool’s begins', async () => {
  const member = await memberWith(['shared', 'own', 'shared']);
  const [ended, later] = [clock.now(), new Date(clock.now().getTime() + 60 * second)];
  await member.use(month.getTime() + second, 70);
  expect(await member.used()).toBe(70);
  await member.beginNext(ended);
  await member.use(ended.getTime() + second, 90);
  await member.noteOrders(ended);
  await member.use(ended.getTime() + 2 * second, 170);
  // What was used between the end of the order and its record was counted, and remains so.
  expect(await member.used()).toBe(90);
  expect(await member.judged()).toEqual({ isOver: false, until: null, stopped: 0, overage: 0 });
  await member.beginNext(later);
  await member.noteOrders(later);
  await member.use(later.getTime() + second, 185);
  expect(await member.used()).toBe(105);
  await member.stop();
});

it('a member that leaves while a batch is in progress leaves after the records of that batch', async () => {
  const member = await memberWith(['shared']);
  await member.use(month.getTime() + second, 30);
  // The gateway’s clock is ahead.
  const ahead = clock.now().getTime() + 5 * second;
  await member.use(ahead, 70);
  await member.leaveDuringBatch(new Date(ahead));
  expect(await member.used()).toBe(70);
  await member.stop();
});
