import type { BundleSpec } from '@simcube/contract/bundle';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { type Consumer, consumeOnce, registerConsumers } from '../../../platform/outbox/index.ts';
import { bundleOf, type TestSim, testBundles } from '../../../testing/bundles.ts';
import { importRecords } from '../../../testing/cdrs.ts';
import { testDatabase } from '../../../testing/database.ts';
import { waitForOlderTransactions } from '../../../testing/older-transactions.ts';
import { ExpectedSim } from '../../../testing/orders-model.ts';
import { changeLifecycle } from '../../sim/index.ts';
import { usageModule } from '../../usage/index.ts';
import { lifecycleConsumers } from '../lifecycle/lifecycle.consumers.ts';
import { endOrders } from '../lifecycle/lifecycle.service.ts';

const plans = [
  bundleOf({ code: 'STOP', reset_cycle: 'day', duration_days: 6 }),
  bundleOf({ code: 'BILL', reset_cycle: '24h day', overage_policy: 'billing', duration_days: 9 }),
  bundleOf({
    code: 'SLOW',
    reset_cycle: 'month',
    overage_policy: 'billing and slow down',
    duration_days: 40,
  }),
  bundleOf({
    code: 'AFTER',
    reset_cycle: 'full month',
    duration_days: 35,
    overage_policy: 'billing then stop after',
    stop_after_bytes: 400,
  }),
  bundleOf({ code: 'YEAR', reset_cycle: 'full year', duration_days: 20 }),
];
const topUps = [
  bundleOf({ code: 'TOP', type: 'prepaid supplementary', quota_bytes: 300, duration_days: null }),
  bundleOf({ code: 'SHORT', type: 'prepaid supplementary', quota_bytes: 200, duration_days: 4 }),
];

/** Mostly those with short cycles, so that much ends in a history. */
const plan = fc.constantFrom(...plans, ...plans.slice(0, 2), ...plans.slice(0, 2));

type Step = { after: number } & (
  | { kind: 'use' | 'late'; bytes: number }
  | { kind: 'order' | 'top-up'; bundle: BundleSpec }
  | { kind: 'pause-or-resume' }
);
const minute = 60_000;
/** Often whole days, so that things end together. */
const after = fc.oneof(
  fc.integer({ min: 1, max: 3 * 1440 }).map((minutes) => minutes * minute),
  fc.constantFrom(1440 * minute, 2 * 1440 * minute, minute),
);
const bytes = fc.integer({ min: 1, max: 900 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ after, kind: fc.constant('use' as const), bytes }) },
  { weight: 1, arbitrary: fc.record({ after, kind: fc.constant('late' as const), bytes }) },
  {
    weight: 1,
    arbitrary: fc.record({ after, kind: fc.constant('order' as const), bundle: plan }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ after, kind: fc.constant('top-up' as const), bundle: fc.constantFrom(...topUps) }),
  },
  { weight: 1, arbitrary: fc.record({ after, kind: fc.constant('pause-or-resume' as const) }) },
);
const history = fc.record({
  // The end of January, so that months of 28 to 31 days follow.
  start: fc.integer({ min: 0, max: 4 * 1440 }).map((minutes) => Date.UTC(2026, 0, 28) + minutes * minute),
  first: plan,
  steps: fc.array(step, { minLength: 40, maxLength: 40 }),
});

const clock = new FixedClock('2026-01-28T00:00:00Z');
const report = { log: createLog({ level: 'silent', format: 'json' }), metrics: createMetrics() };
let database: Database;
let org: Awaited<ReturnType<typeof testBundles>>;
let consumers: Consumer[];

beforeAll(async () => {
  database = await testDatabase();
  consumers = [...lifecycleConsumers({ clock }), ...usageModule({ ...database, clock }).consumers];
  await registerConsumers(database.pool, consumers);
  org = await testBundles(database, [...plans, ...topUps]);
});
afterAll(() => database.close());

const digest = async (): Promise<void> => {
  for (let more = true; more; ) {
    await waitForOlderTransactions(database.pool);
    const taken = await Promise.all(consumers.map((one) => consumeOnce(database.pool, one, report)));
    more = taken.some(({ handled }) => handled > 0);
  }
};

const workOnOrders = async (at: number): Promise<void> => {
  clock.set(new Date(at));
  await endOrders({ pool: database.pool, now: clock.now() });
};

/** What the jobs do at an instant. */
const work = async (at: number): Promise<void> => {
  await workOnOrders(at);
  const turn = usageModule({ ...database, clock }).jobs.find(({ job }) => job.name === 'usage.turn-cycles');
  await turn?.handle({}, { signal: new AbortController().signal, log: report.log, attempt: 1 });
};

/** Does a step to the SIM and to what is expected of it, unless it is impossible now. */
const take = async (sim: TestSim, expected: ExpectedSim, one: Step, number: number): Promise<void> => {
  const now = clock.now();
  const at = now.getTime();
  const use = async (count: number, endedAt: number) => {
    const id = `${sim.id}-${number}`;
    const ended_at = new Date(endedAt).toISOString();
    await importRecords({ database, clock }, [
      { iccid: sim.iccid, record_id: id, ended_at, up_bytes: count, down_bytes: 0 },
    ]);
    expected.use(count, endedAt);
  };
  if (one.kind === 'use' && expected.lifecycle === 'active') await use(one.bytes, at);
  // In the last second of the cycle before the running one, or of its first.
  if (one.kind === 'late' && expected.plan) await use(one.bytes, (expected.cycles.at(-2)?.end ?? at) - 1000);
  if (one.kind === 'order' && expected.waiting.length < 2) {
    await org.order([sim], one.bundle.code, now);
    expected.order(one.bundle, at);
  }
  if (one.kind === 'top-up' && expected.plan) {
    await org.order([sim], one.bundle.code, now);
    expected.topUp(one.bundle, at);
  }
  if (one.kind === 'pause-or-resume' && expected.plan) {
    const to = expected.lifecycle === 'active' ? 'paused' : 'active';
    await inTransaction(database.pool, (tx) =>
      changeLifecycle(tx, { simIds: [sim.id], to, reason: to, actor: null, at: now }),
    );
    if (to === 'paused') expected.pause(at);
    else expected.resume(at);
  }
  await digest();
};

const closedCycles = async ({ id }: TestSim) =>
  (
    await database.pool.query<{ start: Date; end: Date; used: number; limit: number }>(
      `select cycle_started_at as start, cycle_ends_at as end, used_bytes as used, limit_bytes as limit
       from usage_cycles where sim_id = $1 order by 1`,
      [id],
    )
  ).rows;

it('orders, top-ups and cycles of a SIM are those of a model, whatever is ordered, used, paused and late', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ start, first, steps }) => {
      clock.set(new Date(start));
      const sim = await org.sim('active');
      const expected = new ExpectedSim();
      await take(sim, expected, { kind: 'order', bundle: first, after: 0 }, 0);
      for (const [index, one] of steps.entries()) {
        const at = clock.now().getTime() + one.after;
        // The ends of orders are never late. Cycles in which nothing is used are turned later.
        for (let end = expected.nextEnd; end <= at; end = expected.nextEnd) {
          expected.advance(end);
          await workOnOrders(end);
        }
        await work(at);
        await take(sim, expected, one, index + 1);
        const { cycle } = expected;
        expect(await org.state(sim)).toMatchObject({
          lifecycle: { active: 23, paused: 30, expired: 40 }[expected.lifecycle],
          bundle: cycle?.bundle.code ?? null,
          limit_bytes: cycle?.limit ?? null,
          data_state: expected.dataState,
          ...(cycle && { used_bytes: cycle.used, cycle_ends_at: new Date(cycle.calendarEnd) }),
        });
      }
      const closed = expected.cycles.filter((cycle) => cycle !== expected.cycle);
      expect(await closedCycles(sim)).toEqual(
        closed.map(({ start: from, end, used, limit }) => ({
          start: new Date(from),
          end: new Date(end),
          used,
          limit,
        })),
      );
    }),
    // Each run takes seconds: the first history that fails is not made smaller.
    { numRuns: 4, endOnFailure: true },
  );
});
