import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { bundleOf } from '../../testing/bundles.ts';
import { testDatabase } from '../../testing/database.ts';
import { expectPoolsVerified, makePool, orderShared } from '../../testing/pools.ts';
import { radiusInventory } from '../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../testing/session-updates.ts';
import { createBundle } from '../bundle/index.ts';
import { endOrdersInUse } from '../bundle/lifecycle/lifecycle.service.ts';
import { orderBundle } from '../bundle/lifecycle/ordering.service.ts';
import { sumShards } from './cycle.views.ts';
import { countMemberStates } from './figures.views.ts';
import { enforcePool, evaluatePool } from './limit.service.ts';
import { exitSims, syncMembership } from './membership.service.ts';

const month = new Date('2026-10-31T16:00:00Z');
const monthEnd = new Date('2026-11-30T16:00:00Z');
const clock = new FixedClock('2026-11-21T12:00:00Z');
const second = 1000;
let database: Database;

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
});
afterAll(() => database.close());

/** A SIM with its own bundle, in a pool of 100 octets per member, whose order waits. */
const waitingMember = async () => {
  const { pool } = database;
  const intake = await testIntake(database, clock);
  const sims = await radiusInventory(database, 1);
  const [iccid, simId] = [sims.iccid(0), sims.ids[0] ?? 0];
  const [code, now] = [`PLAIN-${simId}`, clock.now()];
  const plain = { type: 'postpaid bundle', quota_bytes: 1_000_000, overage_policy: 'stop' } as const;
  await createBundle(pool, bundleOf({ ...plain, code, reset_cycle: 'month', duration_days: null }));
  const order = { iccids: [iccid], bundleCode: code, count: 1, now: month };
  await inTransaction(pool, (tx) => orderBundle(tx, order));
  const shared = await makePool(pool, sims.orgId, { now: month, quotaBytes: 100 });
  await orderShared(pool, shared, [iccid], month);
  await shared.enrol(sims.ids, month);
  const of = { poolId: shared.id, now };
  return {
    /** Cumulative usage of its session at that time. */
    use: (at: number, up: number) =>
      storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(0), at }, { at, up, down: 0 })),
    /** Ends its own bundle and begins the pool's. */
    beginOrder: () => inTransaction(pool, (tx) => endOrdersInUse(tx, { simIds: [simId], now })),
    noteOrder: () => inTransaction(pool, (tx) => syncMembership(tx, { simId, now })),
    leave: () =>
      inTransaction(pool, (tx) => exitSims(tx, { simIds: [simId], reason: 'ordered', now: clock.now() })),
    judged: async () => {
      const found = await inTransaction(pool, (tx) => evaluatePool(tx, of));
      await inTransaction(pool, (tx) => enforcePool(tx, of));
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
  const member = await waitingMember();
  const begun = clock.now().getTime();
  await member.use(month.getTime() + second, 500);
  expect(await member.used()).toBe(0);
  expect(await member.judged()).toEqual({ isOver: false, until: null, stopped: 0, overage: 0 });

  await member.beginOrder();
  await member.use(begun + second, 800);
  await member.noteOrder();
  expect(await member.used()).toBe(300);
  expect(await member.judged()).toEqual({ isOver: true, until: monthEnd, stopped: 1, overage: 1 });
  await member.use(begun + 2 * second, 820);
  expect(await member.used()).toBe(320);
  await member.stop();
});

it('a member that leaves before its order was recorded leaves its usage to the pool', async () => {
  const member = await waitingMember();
  await member.use(month.getTime() + second, 500);
  await member.beginOrder();
  await member.use(clock.now().getTime() + second, 540);
  await member.leave();
  await member.noteOrder();
  expect(await member.used()).toBe(40);
  await member.stop();
});
