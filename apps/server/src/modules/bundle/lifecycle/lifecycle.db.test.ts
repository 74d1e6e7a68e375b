import { dayMs } from '@simcube/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, ensurePartitions } from '../../../platform/db/index.ts';
import { liveEventsOf } from '../../../platform/outbox/index.ts';
import { bundleOf, type TestSim, testBundles } from '../../../testing/bundles.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { testDatabase } from '../../../testing/database.ts';
import { runProgram } from '../../../testing/run-program.ts';
import { endGraces, endOrders, endPreActivations } from './lifecycle.service.ts';

const start = new Date('2026-09-01T00:00:00Z');
const after = (days: number) => new Date(start.getTime() + days * dayMs);

let database: Database;
let org: Awaited<ReturnType<typeof testBundles>>;

beforeAll(async () => {
  database = await testDatabase();
  await ensurePartitions(database.pool, start, after(300));
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    'truncate sims, sim_live, sim_events, org_sim_counts, bundle_orders, bundles, organisations, outbox, usage_cycles, cdrs cascade',
  );
  org = await testBundles(database, [
    bundleOf({ code: 'B30' }),
    bundleOf({ code: 'B7', duration_days: 7, quota_bytes: 500 }),
    bundleOf({ code: 'TEST', type: 'test plan', duration_days: 5, quota_bytes: 400 }),
    bundleOf({ code: 'FREE', duration_days: null, quota_bytes: null }),
    bundleOf({ code: 'PACK', type: 'prepaid supplementary', quota_bytes: 300 }),
  ]);
});

const at = (now: Date) => ({ pool: database.pool, now });
/** Runs all jobs, as the schedule would. */
const goOn = async (now: Date) => ({
  periods: await endPreActivations(at(now)),
  orders: await endOrders(at(now)),
  graces: await endGraces(at(now)),
});
/** Kinds of the SIM's events that are shown live. */
const liveKinds = async ({ iccid }: TestSim): Promise<string[]> => {
  const { rows } = await database.pool.query('select topic, payload from outbox order by xact, id');
  return rows
    .flatMap(({ topic, payload }) => liveEventsOf(topic, payload))
    .flatMap((event) => (event.name === 'sim.event' && event.data.iccid === iccid ? [event.data.kind] : []));
};
const nothing = { periods: 0, orders: 0, graces: 0 };

describe('the end of the pre-activation period', () => {
  it('activates a SIM with its pending bundle, at the instant due, and only once', async () => {
    const sim = await org.sim('pre-activated', { periodEndsAt: after(10).toISOString() });
    await org.order([sim], 'B30', start);
    expect(await goOn(after(10 - 1 / 24))).toEqual(nothing);
    expect(await goOn(after(20))).toMatchObject({ periods: 1 });
    expect(await org.state(sim)).toMatchObject({
      lifecycle: 23,
      lifecycle_changed_at: after(10),
      activated_at: after(10),
      bundle: 'B30',
      expires_at: after(40),
      limit_bytes: 1000,
      threshold_bytes: 1000,
      cycle_started_at: after(20),
      cycle_ends_at: after(21),
    });
    expect(await org.events(sim)).toEqual([
      '09-01 bundle-ordered B30 bundle',
      '09-11 lifecycle-changed active pre-activation-ended',
      '09-11 bundle-started B30 bundle pre-activation-ended',
    ]);
    expect(await liveKinds(sim)).toEqual(['bundle-ordered', 'lifecycle-changed', 'bundle-started']);
    expect(await goOn(after(20))).toEqual(nothing);
    expect(await org.counts()).toEqual({ counted: { 23: 1 }, stored: { 23: 1 } });
  });

  it('that was over before the order activates the SIM when it was ordered', async () => {
    const sim = await org.sim('pre-activated', { periodEndsAt: '2026-06-01T00:00:00Z' });
    await org.order([sim], 'B7', start);
    expect(await goOn(after(0.1))).toEqual({ ...nothing, periods: 1 });
    expect(await org.state(sim)).toMatchObject({
      lifecycle: 23,
      activated_at: start,
      bundle: 'B7',
      expires_at: after(7),
    });
  });

  it('leaves a SIM without a bundle pre-activated, reports it once, and the next order activates it', async () => {
    const sim = await org.sim('pre-activated', { periodEndsAt: after(10).toISOString() });
    expect(await goOn(after(11))).toMatchObject({ periods: 1 });
    expect(await goOn(after(12))).toEqual(nothing);
    expect(await org.state(sim)).toMatchObject({ lifecycle: 10, bundle: null });
    await org.order([sim], 'B7', after(15));
    expect(await org.state(sim)).toMatchObject({ lifecycle: 23, bundle: 'B7', expires_at: after(22) });
    expect(await org.events(sim)).toEqual([
      '09-11 pre-activation-ended no-bundle',
      '09-16 bundle-ordered B7 bundle',
      '09-16 lifecycle-changed active bundle-ordered',
      '09-16 bundle-started B7 bundle bundle-ordered',
    ]);
    expect(await liveKinds(sim)).toEqual([
      'pre-activation-ended',
      'bundle-ordered',
      'lifecycle-changed',
      'bundle-started',
    ]);
  });
});

describe('a used-up test quota', () => {
  it('makes the next order activate the SIM, also after the test plan has ended', async () => {
    const [usedUp, other] = [await org.sim('pre-activated'), await org.sim('pre-activated')];
    await org.order([usedUp, other], 'TEST', start);
    const use = ({ iccid }: TestSim, days: number, bytes: number) =>
      importRecords({ database, clock: new FixedClock(after(days)) }, [
        {
          iccid,
          record_id: `${iccid}-${days}`,
          ended_at: after(days).toISOString(),
          up_bytes: bytes,
          down_bytes: 0,
        },
      ]);
    await use(usedUp, 0.5, 400);
    await use(other, 0.5, 399);
    await goOn(after(6));
    await org.order([usedUp, other], 'B7', after(8));
    expect(await org.state(usedUp)).toMatchObject({ lifecycle: 23, bundle: 'B7', expires_at: after(15) });
    expect(await org.state(other)).toMatchObject({ lifecycle: 10, bundle: null });
  });
});

describe('the end of an order', () => {
  it('starts the next one at that instant, and expires the SIM after the last', async () => {
    const sim = await org.sim('active');
    await org.order([sim], 'B30', start);
    await org.order([sim], 'B7', after(1), { count: 2 });
    expect(await org.state(sim)).toMatchObject({ bundle: 'B30', expires_at: after(44) });
    expect(await goOn(after(29.9))).toEqual(nothing);
    expect(await goOn(after(30))).toMatchObject({ orders: 1 });
    expect(await org.state(sim)).toMatchObject({ bundle: 'B7', expires_at: after(44), limit_bytes: 500 });
    expect(await goOn(after(37))).toMatchObject({ orders: 1 });
    expect(await goOn(after(44.5))).toMatchObject({ orders: 1 });
    expect(await org.state(sim)).toMatchObject({
      lifecycle: 40,
      lifecycle_changed_at: after(44),
      bundle: null,
      expires_at: after(44),
      limit_bytes: null,
      cycle_ends_at: null,
    });
    expect(await org.events(sim)).toEqual([
      '09-01 bundle-ordered B30 bundle',
      '09-01 bundle-started B30 bundle ordered',
      '09-02 bundle-ordered B7 bundle',
      '09-02 bundle-ordered B7 bundle',
      '10-01 bundle-ended B30 bundle order-ended',
      '10-01 bundle-started B7 bundle order-before-ended',
      '10-08 bundle-ended B7 bundle order-ended',
      '10-08 bundle-started B7 bundle order-before-ended',
      '10-15 bundle-ended B7 bundle order-ended',
      '10-15 lifecycle-changed expired last-order-ended',
    ]);
  });

  it('has the same result after weeks of downtime', async () => {
    const [inTime, late] = [await org.sim('active'), await org.sim('active')] as [TestSim, TestSim];
    const waiting = await org.sim('pre-activated', { periodEndsAt: after(3).toISOString() });
    await org.order([inTime, late], 'B30', start);
    await org.order([inTime, late, waiting], 'B7', after(1), { count: 3 });
    // Except for the last day's jobs, the late SIM is locked.
    const hold = await database.pool.connect();
    await hold.query('begin');
    await hold.query('select from sims where id = any($1) for update', [[late.id, waiting.id]]);
    for (let day = 1; day <= 150; day += 1) await goOn(after(day));
    await hold.query('commit');
    hold.release();
    expect(await org.state(late)).toMatchObject({ lifecycle: 23, bundle: 'B30' });
    await goOn(after(150));
    await goOn(after(150));
    expect(await org.state(late)).toEqual(await org.state(inTime));
    expect(await org.orders(late)).toEqual(await org.orders(inTime));
    expect(await org.events(late)).toEqual(await org.events(inTime));
    // 30 + 21 days, then 90 days of grace.
    expect(await org.state(late)).toMatchObject({ lifecycle: 50, lifecycle_changed_at: after(141) });
    expect((await org.events(waiting)).slice(-1)).toEqual(['12-24 lifecycle-changed terminated grace-over']);
    expect(await org.counts()).toEqual({ counted: { 50: 3 }, stored: { 50: 3 } });
  });

  it('expires the SIM if the next one was ordered later, which then renews it', async () => {
    const [sim, toppedUp] = [await org.sim('active'), await org.sim('active')];
    await org.order([sim, toppedUp], 'B7', start);
    await org.order([sim, toppedUp], 'B7', after(10), { count: 2 });
    await org.order([toppedUp], 'PACK', after(10));
    expect(await goOn(after(12))).toMatchObject({ orders: 2 });
    for (const renewed of [sim, toppedUp])
      expect(await org.state(renewed)).toMatchObject({
        lifecycle: 23,
        lifecycle_changed_at: after(10),
        bundle: 'B7',
        expires_at: after(24),
        cycle_ends_at: after(13),
      });
    expect(await org.events(sim)).toEqual([
      '09-01 bundle-ordered B7 bundle',
      '09-01 bundle-started B7 bundle ordered',
      '09-08 bundle-ended B7 bundle order-ended',
      '09-08 lifecycle-changed expired last-order-ended',
      '09-11 bundle-ordered B7 bundle',
      '09-11 bundle-ordered B7 bundle',
      '09-11 lifecycle-changed active renewal',
      '09-11 bundle-started B7 bundle ordered',
    ]);
    expect(await org.counts()).toEqual({ counted: { 23: 2 }, stored: { 23: 2 } });
    expect(await org.state(toppedUp)).toMatchObject({ limit_bytes: 800, extra_bytes: 300 });
    expect((await org.orders(toppedUp)).at(-1)).toMatchObject({ code: 'PACK', status: 'in use' });
  });

  it('never happens to an order without an end; orders of a paused SIM continue', async () => {
    const free = await org.sim('active');
    const paused = await org.sim('paused');
    await org.order([free], 'FREE', start);
    await org.order([paused], 'B7', start, { count: 2 });
    expect(await org.state(free)).toMatchObject({ bundle: 'FREE', expires_at: null, limit_bytes: null });
    await goOn(after(10));
    expect(await org.state(free)).toMatchObject({ lifecycle: 23 });
    expect(await org.state(paused)).toMatchObject({ lifecycle: 30, bundle: 'B7', expires_at: after(14) });
    await goOn(after(14));
    expect(await org.state(paused)).toMatchObject({ lifecycle: 40 });
  });

  it('closes the cycle, and later usage belongs to the next order', async () => {
    const sim = await org.sim('active');
    await org.order([sim], 'B7', start, { count: 2 });
    const { pool } = database;
    await pool.query(
      `insert into cdrs (sim_id, org_id, started_at, ended_at, dedupe_key, up_bytes, down_bytes, source)
       select $1, $2, at, at, position, bytes, 0, 1
       from unnest($3::timestamptz[], array[40, 70, 5]) with ordinality as t (at, bytes, position)`,
      [sim.id, org.orgId, [after(6.9), after(7), after(7.1)]],
    );
    await pool.query(
      `update sim_live set used_bytes = 115, cycle_started_at = $2, cycle_ends_at = $3 where sim_id = $1`,
      [sim.id, after(6), after(7)],
    );
    await goOn(after(7.2));
    expect(await org.state(sim)).toMatchObject({ used_bytes: 75, limit_bytes: 500, cycle_ends_at: after(8) });
    const { rows } = await pool.query(
      'select cycle_started_at, cycle_ends_at, used_bytes, limit_bytes from usage_cycles',
    );
    expect(rows).toEqual([
      { cycle_started_at: after(6), cycle_ends_at: after(7), used_bytes: 40, limit_bytes: 500 },
    ]);
  });
});

describe('the grace period', () => {
  it('is the organisation’s own, or the default; terminated is final', async () => {
    const short = await testBundles(database, [], 'short');
    await database.pool.query(`update organisations set grace_days = 5 where id = $1`, [short.orgId]);
    const [usual, own] = [await org.sim('active'), await short.sim('active')];
    await org.order([usual], 'B7', start);
    await short.order([own], 'B7', start);
    await goOn(after(7));
    expect(await goOn(after(11.9))).toEqual(nothing);
    expect(await goOn(after(12))).toMatchObject({ graces: 1 });
    expect(await short.state(own)).toMatchObject({ lifecycle: 50, lifecycle_changed_at: after(12) });
    expect(await goOn(after(96.9))).toEqual(nothing);
    expect(await goOn(after(97))).toMatchObject({ graces: 1 });
    expect(await org.state(usual)).toMatchObject({ lifecycle: 50 });
    expect(await org.order([usual], 'B30', after(98))).toMatchObject({
      placed: 0,
      refused: [{ iccid: usual.iccid }],
    });
  });

  it('ends at its own time even before the retained months', async () => {
    const [first, second] = [await org.sim('expired'), await org.sim('expired')];
    const since = (sim: TestSim, when: string) =>
      database.pool.query('update sims set lifecycle_changed_at = $2 where iccid = $1', [sim.iccid, when]);
    await since(first, '2019-01-05T12:00:00Z');
    await since(second, '2020-02-28T23:30:00Z');
    expect(await goOn(after(0))).toMatchObject({ graces: 2 });
    expect(await goOn(after(0))).toEqual(nothing);
    expect(await org.events(first)).toEqual(['04-05 lifecycle-changed terminated grace-over']);
    expect(await org.state(second)).toMatchObject({ lifecycle_changed_at: new Date('2020-05-28T23:30:00Z') });
  });

  it('restarts after a renewal', async () => {
    const sim = await org.sim('active');
    await org.order([sim], 'B7', start);
    await goOn(after(50));
    expect(await org.state(sim)).toMatchObject({ lifecycle: 40, expires_at: after(7) });
    await org.order([sim], 'B7', after(60), { count: 2 });
    expect(await org.state(sim)).toMatchObject({
      lifecycle: 23,
      bundle: 'B7',
      expires_at: after(74),
      limit_bytes: 500,
    });
    expect((await org.events(sim)).slice(-3)).toEqual([
      '10-31 bundle-ordered B7 bundle',
      '10-31 lifecycle-changed active renewal',
      '10-31 bundle-started B7 bundle ordered',
    ]);
    await goOn(after(100));
    expect(await org.state(sim)).toMatchObject({ lifecycle: 40, lifecycle_changed_at: after(74) });
    await goOn(after(163.9));
    expect(await org.state(sim)).toMatchObject({ lifecycle: 40 });
    await goOn(after(164));
    expect(await org.state(sim)).toMatchObject({ lifecycle: 50 });
  });
});

describe('many due SIMs', () => {
  const many = 1200;
  const fleet = async () => {
    const sims: TestSim[] = [];
    for (let index = 0; index < many; index += 1) {
      sims.push(await org.sim('pre-activated', { periodEndsAt: after(index % 7).toISOString() }));
    }
    await org.order(sims.slice(0, many - 100), 'B7', start, { count: 2 });
    return sims;
  };
  /** How often each event happened to a SIM, and to how many SIMs. */
  const tally = async () =>
    (
      await database.pool.query(
        `select kind, n, count(*)::int as sims from (
           select sim_id, concat_ws(' ', kind, facts->>'to', facts->>'reason') as kind, count(*)::int as n
           from sim_events where kind <> 'bundle-ordered' group by 1, 2) t group by 1, 2 order by 1, 2`,
      )
    ).rows;
  const ordered = many - 100;
  const wanted = [
    { kind: 'bundle-ended order-ended', n: 2, sims: ordered },
    { kind: 'bundle-started order-before-ended', n: 1, sims: ordered },
    { kind: 'bundle-started pre-activation-ended', n: 1, sims: ordered },
    { kind: 'lifecycle-changed active pre-activation-ended', n: 1, sims: ordered },
    { kind: 'lifecycle-changed expired last-order-ended', n: 1, sims: ordered },
    { kind: 'lifecycle-changed terminated grace-over', n: 1, sims: ordered },
    { kind: 'pre-activation-ended no-bundle', n: 1, sims: 100 },
  ];

  it('are processed by concurrent workers, none twice', async () => {
    await fleet();
    const together = (job: typeof endOrders) => Promise.all([1, 2, 3].map(() => job(at(after(150)))));
    for (const job of [endPreActivations, endOrders, endGraces]) await together(job);
    for (const job of [endPreActivations, endOrders, endGraces]) await job(at(after(150)));
    expect(await tally()).toEqual(wanted);
    expect(await org.counts()).toEqual({
      counted: { 10: 100, 50: ordered },
      stored: { 10: 100, 50: ordered },
    });
  });

  it('are completed after a crash at any point, none twice', { timeout: 180_000 }, async () => {
    await fleet();
    const crash = async (what: string, step: string, n: number) => {
      const args = [database.url, what, after(150).toISOString(), step, String(n)];
      expect(await runProgram('bundle-steps', args)).toBe('SIGKILL');
      // The locks of the dead process are released when the database notices its death.
      await expect
        .poll(
          async () =>
            (
              await database.pool.query(
                `select 1 from pg_stat_activity where application_name = 'bundle steps'`,
              )
            ).rowCount,
        )
        .toBe(0);
    };
    for (const [what, job, statement] of [
      ['pre-activations', endPreActivations, 17],
      ['orders', endOrders, 25],
      ['graces', endGraces, 3],
    ] as const) {
      await crash(what, 'statement', statement);
      await crash(what, 'after-commit', 1);
      await job(at(after(150)));
    }
    expect(await tally()).toEqual(wanted);
    expect(await org.counts()).toEqual({
      counted: { 10: 100, 50: ordered },
      stored: { 10: 100, 50: ordered },
    });
    const { rows } = await database.pool.query(
      `select status, count(*)::int from bundle_orders group by 1 order by 1`,
    );
    expect(rows).toEqual([{ status: 'expired', count: 2 * ordered }]);
  });
});
