import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { bundleOf, type TestSim, testBundles } from '../../../testing/bundles.ts';
import { testDatabase } from '../../../testing/database.ts';
import { testIntake } from '../../../testing/session-updates.ts';
import { usageSources } from '../../../testing/usage-sources.ts';
import { endOrders, endOrdersInUse } from '../../bundle/lifecycle/lifecycle.service.ts';
import { findHeldAt, holdData } from '../../sim/operations/hold.queries.ts';
import { turnDueCycles } from '../../usage/cycle-turns.service.ts';
import type { Intake } from './intake.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const activatedAt = new Date('2026-11-18T03:00:00Z');
const at = (time: string): Date => new Date(`2026-11-${time}:00:00Z`);

let database: Database;
let intake: Intake;
let org: Awaited<ReturnType<typeof testBundles>>;

beforeAll(async () => {
  database = await testDatabase();
  intake = await testIntake(database, clock);
  org = await testBundles(database, [
    bundleOf({ code: 'day', reset_cycle: 'day', overage_policy: 'billing', duration_days: null }),
    bundleOf({ code: 'paid', reset_cycle: 'day', overage_policy: 'billing', quota_bytes: 0 }),
    bundleOf({ code: 'two-days', reset_cycle: 'month', overage_policy: 'billing', duration_days: 2 }),
    bundleOf({ code: 'two-whole-days', reset_cycle: 'day', overage_policy: 'billing', duration_days: 2 }),
    bundleOf({ code: 'long', reset_cycle: 'full month', overage_policy: 'billing', duration_days: 400 }),
    bundleOf({ code: 'year', reset_cycle: 'full year', overage_policy: 'billing', duration_days: 400 }),
  ]);
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});

const ways = usageSources(() => ({ database, intake, clock }));

/** Every cycle of a SIM: its start (day and hour), usage and limit. */
const cyclesOf = async ({ id }: TestSim) =>
  (
    await database.pool.query<{ cycle: [string, number, number | null] }>(
      `select json_build_array(to_char(start at time zone 'UTC', 'DD"T"HH24'), used, bytes) as cycle from (
         select cycle_started_at as start, used_bytes as used, limit_bytes as bytes from usage_cycles where sim_id = $1
         union all
         select cycle_started_at, used_bytes, limit_bytes from sim_live where sim_id = $1 and cycle_started_at is not null) c
       order by start`,
      [id],
    )
  ).rows.map(({ cycle }) => cycle);

const end = (now: Date) => endOrders({ pool: database.pool, now });

describe.each(Object.entries(ways))('usage that arrives by %s', (_, use) => {
  it('after the end of the last order is in none of its cycles, unlike usage from before that end', async () => {
    const sim = await org.sim('active');
    await org.order([sim], 'two-days', activatedAt);
    await use(sim, at('19T03'), 100);
    await end(at('20T04'));
    await use(sim, at('20T02'), 7);
    expect(await cyclesOf(sim)).toEqual([['18T03', 107, 1000]]);
    await use(sim, at('20T05'), 50);
    await use(sim, at('20T01'), 20);
    expect(await cyclesOf(sim)).toEqual([
      ['18T03', 127, 1000],
      ['20T03', 50, null],
    ]);
  });

  it('between two orders is in no cycle of either order', async () => {
    const sim = await org.sim('active');
    await org.order([sim], 'two-days', activatedAt);
    await use(sim, at('20T04'), 5);
    await end(at('20T05'));
    await use(sim, at('20T06'), 50);
    await org.order([sim], 'two-days', at('21T03'));
    await use(sim, at('21T04'), 10);
    await use(sim, at('20T07'), 3);
    expect(await cyclesOf(sim)).toEqual([
      ['18T03', 0, 1000],
      ['20T03', 58, null],
      ['21T03', 10, 1000],
    ]);
  });

  it.each(['long', 'year'])(
    'is in the cycle of its order when another follows on one day (%s)',
    async (code) => {
      const sim = await org.sim('active');
      await org.order([sim], code, activatedAt);
      await use(sim, at('18T04'), 900);
      await org.order([sim], 'long', at('18T04'));
      await inTransaction(database.pool, (tx) => endOrdersInUse(tx, { simIds: [sim.id], now: at('18T06') }));
      await use(sim, at('18T08'), 800);
      await use(sim, at('18T05'), 50);
      expect(await cyclesOf(sim)).toEqual([
        ['18T03', 950, 1000],
        ['18T06', 800, 1000],
      ]);
    },
  );

  it('reaches a quota of zero with the first octet of a cycle, not without usage', async () => {
    const sim = await org.sim('active');
    await org.order([sim], 'paid', activatedAt);
    const isOver = async () => (await org.state(sim)).over_limit;
    const reached = async () => (await org.events(sim)).filter((event) => event.includes('quota-reached'));
    expect(await isOver()).toBe(false);
    await turnDueCycles({ pool: database.pool, now: at('19T04') });
    expect(await isOver()).toBe(false);
    expect(await reached()).toEqual([]);
    await use(sim, at('19T05'), 1);
    expect(await isOver()).toBe(true);
    await use(sim, at('19T06'), 1);
    await turnDueCycles({ pool: database.pool, now: at('20T04') });
    expect(await isOver()).toBe(false);
    expect(await reached()).toHaveLength(1);
  });

  it('days after the last usage skips none of the cycles in between', async () => {
    const sim = await org.sim('active');
    await org.order([sim], 'day', activatedAt);
    await use(sim, at('18T04'), 10);
    await use(sim, at('21T04'), 20);
    expect(await cyclesOf(sim)).toEqual([
      ['18T03', 10, 1000],
      ['18T16', 0, 1000],
      ['19T16', 0, 1000],
      ['20T16', 20, 1000],
    ]);
  });
});

it('cycles that pass while the server is down are all created', async () => {
  const [silent, queued] = [await org.sim('active'), await org.sim('active')];
  await org.order([silent], 'day', activatedAt);
  await org.order([queued], 'two-days', at('16T03'));
  await org.order([queued], 'day', at('16T03'));
  await end(at('20T04'));
  await turnDueCycles({ pool: database.pool, now: at('20T04') });
  expect(await cyclesOf(queued)).toEqual([
    ['16T03', 0, 1000],
    ['18T03', 0, 1000],
    ['18T16', 0, 1000],
    ['19T16', 0, 1000],
  ]);
  expect(await cyclesOf(silent)).toEqual([
    ['18T03', 0, 1000],
    ['18T16', 0, 1000],
    ['19T16', 0, 1000],
  ]);
});

it('orders that end while the server is down have the cycles up to their ends', async () => {
  const sim = await org.sim('active');
  for (const code of ['two-whole-days', 'two-whole-days', 'two-days'])
    await org.order([sim], code, at('14T03'));
  await turnDueCycles({ pool: database.pool, now: at('21T04') });
  await end(at('21T04'));
  expect(await cyclesOf(sim)).toEqual([
    ['14T03', 0, 1000],
    ['14T16', 0, 1000],
    ['15T16', 0, 1000],
    ['16T03', 0, 1000],
    ['16T16', 0, 1000],
    ['17T16', 0, 1000],
    ['18T03', 0, 1000],
  ]);
});

it('data that is turned off until the cycle turns is turned on again when another order starts a cycle', async () => {
  const sim = await org.sim('active');
  await org.order([sim], 'year', activatedAt);
  await org.order([sim], 'long', activatedAt);
  const simIds = [sim.id];
  await inTransaction(database.pool, (tx) => holdData(tx, { simIds, now: at('18T04'), rateKbps: null }));
  const isHeld = async () => (await findHeldAt(at('18T07'))(database.pool, simIds)).has(sim.id);
  expect(await isHeld()).toBe(true);
  await inTransaction(database.pool, (tx) => endOrdersInUse(tx, { simIds, now: at('18T06') }));
  expect(await isHeld()).toBe(false);
});
