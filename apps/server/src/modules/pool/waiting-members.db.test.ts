import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { bundleOf } from '../../testing/bundles.ts';
import { testDatabase } from '../../testing/database.ts';
import { makePool, orderShared } from '../../testing/pools.ts';
import { radiusInventory } from '../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../testing/session-updates.ts';
import { createBundle } from '../bundle/index.ts';
import { endOrdersInUse } from '../bundle/lifecycle/lifecycle.service.ts';
import { orderBundle } from '../bundle/lifecycle/ordering.service.ts';
import { countMemberStates } from './figures.views.ts';
import { enforcePool, judgePool } from './limit.service.ts';
import { followOrders } from './membership.service.ts';

const month = new Date('2026-10-31T16:00:00Z');
const clock = new FixedClock('2026-11-21T12:00:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase({ max: 8 });
});
afterAll(() => database.close());

it('a pool that is used up stops no member whose order of its bundle waits: its data is that of another bundle', async () => {
  const { pool } = database;
  const intake = await testIntake(database, clock);
  const sims = await radiusInventory(database, 1);
  const [iccid, simId] = [sims.iccid(0), sims.ids[0] ?? 0];
  const plain = { type: 'postpaid bundle', quota_bytes: 1_000_000, overage_policy: 'stop' } as const;
  await createBundle(pool, bundleOf({ ...plain, code: 'PLAIN', reset_cycle: 'month', duration_days: null }));
  const order = { iccids: [iccid], bundleCode: 'PLAIN', count: 1, now: month };
  await inTransaction(pool, (tx) => orderBundle(tx, order));
  const shared = await makePool(pool, sims.orgId, { now: month, quotaBytes: 100 });
  await orderShared(pool, shared, [iccid], month);
  await shared.enrol(sims.ids, month);
  const judged = async () => {
    const of = { poolId: shared.id, now: clock.now() };
    const found = await inTransaction(pool, (tx) => judgePool(tx, of));
    await inTransaction(pool, (tx) => enforcePool(tx, of));
    const { rows } = await pool.query('select pool_stopped_until from sim_live where sim_id = $1', [simId]);
    const cycleStart = found?.cycle.startedAt ?? month;
    const { stopped, overage } = await countMemberStates(pool, { ...of, cycleStart });
    return { isOver: found?.cycle.overAt != null, until: rows[0].pool_stopped_until, stopped, overage };
  };
  const at = month.getTime() + 1000;
  await storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(0), at }, { at, up: 500, down: 0 }));
  expect(await judged()).toEqual({ isOver: true, until: null, stopped: 0, overage: 0 });

  await inTransaction(pool, (tx) => endOrdersInUse(tx, { simIds: [simId], now: clock.now() }));
  await inTransaction(pool, (tx) => followOrders(tx, { simId, now: clock.now() }));
  const until = new Date('2026-11-30T16:00:00Z');
  expect(await judged()).toEqual({ isOver: true, until, stopped: 1, overage: 1 });
  await intake.stop();
});
