import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { type Database, ensurePartitions, inTransaction } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { type Consumer, consumeOnce } from '../../../platform/outbox/index.ts';
import { bundleOf, type TestSim, testBundles } from '../../../testing/bundles.ts';
import { testDatabase } from '../../../testing/database.ts';
import { waitForOlderTransactions } from '../../../testing/older-transactions.ts';
import { sourceOf } from '../../../testing/usage-records.ts';
import { addToPools } from '../../pool/index.ts';
import { changeLifecycle } from '../../sim/index.ts';
import { importCdrs, usageModule } from '../../usage/index.ts';
import { lifecycleConsumers } from '../lifecycle/lifecycle.consumers.ts';
import { endOrders } from '../lifecycle/lifecycle.service.ts';

const start = new Date('2026-11-01T00:00:00Z');
const hour = hourMs;
const at = (hours: number) => new Date(start.getTime() + hours * hour);
const clock = new FixedClock(start);
const log = createLog({ level: 'silent', format: 'json' });
const metrics = createMetrics();

let database: Database;
let org: Awaited<ReturnType<typeof testBundles>>;
let consumers: Consumer[];

beforeAll(async () => {
  database = await testDatabase();
  await ensurePartitions(database.pool, start, at(90 * 24));
  consumers = [...lifecycleConsumers({ clock }), ...usageModule({ ...database, clock }).consumers];
});
afterAll(() => database.close());
beforeEach(async () => {
  clock.set(start);
  await database.pool.query(
    `truncate sims, sim_live, sim_events, org_sim_counts, bundle_orders, bundles, organisations, outbox, outbox_cursors,
       usage_cycles, cdrs, cdr_files, usage_hourly, usage_daily, org_usage_hourly, org_usage_daily cascade`,
  );
  await database.pool.query(
    `insert into outbox_cursors (consumer, xact, id) select name, '0', 0 from unnest($1::text[]) as name`,
    [consumers.map(({ name }) => name)],
  );
  org = await testBundles(database, [
    bundleOf({ code: 'BASE' }),
    bundleOf({ code: 'TOP', type: 'prepaid supplementary', quota_bytes: 300, duration_days: 10 }),
    bundleOf({ code: 'TEST', type: 'test plan', quota_bytes: 100 }),
    bundleOf({ code: 'PAID', overage_policy: 'billing then stop after', stop_after_bytes: 200 }),
  ]);
});

const digest = async () => {
  for (let more = true; more; ) {
    await waitForOlderTransactions(database.pool);
    const taken = await Promise.all(
      consumers.map((consumer) => consumeOnce(database.pool, consumer, { log, metrics })),
    );
    more = taken.some(({ handled }) => handled > 0);
  }
};

let files = 0;
/** Usage that ends now, imported from a file of records, with all its effects. */
const use = async (sim: TestSim, bytes: number) => {
  files += 1;
  const line = `${sim.iccid},r${files},${clock.now().toISOString()},${bytes},0`;
  const source = sourceOf(`iccid,record_id,ended_at,up_bytes,down_bytes\n${line}\n`);
  await importCdrs({ countForPools: addToPools, pool: database.pool, clock, source });
  await digest();
};

const top = (sims: TestSim[], more: { count?: number } = {}) => org.order(sims, 'TOP', clock.now(), more);
const change = async (sim: TestSim, to: 'active' | 'paused') => {
  await inTransaction(database.pool, (tx) =>
    changeLifecycle(tx, { simIds: [sim.id], to, reason: to, actor: null, at: clock.now() }),
  );
  await digest();
};
const turnCycles = async () => {
  const { jobs } = usageModule({ ...database, clock });
  const job = jobs.find((one) => one.job.name === 'usage.turn-cycles');
  await job?.handle({}, { signal: new AbortController().signal, log, attempt: 1 });
};
const tops = async (sim: TestSim) =>
  (await org.orders(sim))
    .filter(({ code }) => code === 'TOP')
    .map(({ status, used_bytes }) => [status, used_bytes]);

const active = async (): Promise<TestSim> => {
  const sim = await org.sim('active');
  await org.order([sim], 'BASE', clock.now());
  return sim;
};

describe('a supplementary order', () => {
  it('runs alongside the basic one immediately, and adds its quota to the limit', async () => {
    const sim = await active();
    await top([sim], { count: 2 });
    expect(await org.state(sim)).toMatchObject({
      bundle: 'BASE',
      limit_bytes: 1600,
      extra_bytes: 600,
      threshold_bytes: 1600,
    });
    expect(await org.orders(sim)).toMatchObject([
      { code: 'BASE', status: 'in use' },
      { code: 'TOP', status: 'in use', activated_at: start, expires_at: at(240) },
      { code: 'TOP', status: 'in use' },
    ]);
  });

  it('is used after the basic quota, the oldest first, and what a cycle used of it is gone', async () => {
    const sim = await active();
    await top([sim], { count: 2 });
    clock.set(at(10));
    await use(sim, 1350);
    expect(await org.state(sim)).toMatchObject({ over_limit: false, limit_bytes: 1600 });
    clock.set(at(30));
    await use(sim, 1);
    // 350 of 600 are used: the first order completely, and 50 of the second.
    expect(await org.state(sim)).toMatchObject({
      used_bytes: 1,
      limit_bytes: 1250,
      extra_bytes: 250,
      threshold_bytes: 1250,
    });
    await top([sim]);
    expect(await org.state(sim)).toMatchObject({ limit_bytes: 1550, extra_bytes: 550 });
    clock.set(at(240));
    await endOrders({ pool: database.pool, now: clock.now() });
    expect(await tops(sim)).toEqual([
      ['expired', 300],
      ['expired', 50],
      ['in use', 0],
    ]);
    expect(await org.state(sim)).toMatchObject({ limit_bytes: 1300, extra_bytes: 300 });
  });

  it('restores data of a stopped SIM, and notifies the network', async () => {
    const sim = await active();
    clock.set(at(1));
    await use(sim, 1100);
    expect(await org.state(sim)).toMatchObject({ over_limit: true, data_state: 2, threshold_bytes: null });
    await top([sim]);
    expect(await org.state(sim)).toMatchObject({
      over_limit: false,
      data_state: 0,
      limit_bytes: 1300,
      threshold_bytes: 1300,
    });
    const { rows } = await database.pool.query(
      `select payload from outbox where topic = 'bundle.allowance-changed' order by xact, id`,
    );
    expect(rows.map(({ payload }) => payload)).toMatchObject([
      { simId: sim.id, dataState: 0, rateKbps: null },
    ]);
    await use(sim, 200);
    expect(await org.state(sim)).toMatchObject({ used_bytes: 1300, data_state: 2 });
    expect(await tops(sim)).toEqual([['expired', 300]]);
    expect(await org.events(sim)).toContain('11-01 bundle-ended TOP bundle used-up');
    clock.set(at(25));
    await turnCycles();
    expect(await org.state(sim)).toMatchObject({
      used_bytes: 0,
      limit_bytes: 1000,
      extra_bytes: 0,
      data_state: 0,
    });
  });

  it('ends with a suspend; one that is ordered meanwhile waits for the resume', async () => {
    const sim = await active();
    await top([sim], { count: 2 });
    clock.set(at(1));
    await use(sim, 1400);
    clock.set(at(2));
    await change(sim, 'paused');
    expect(await tops(sim)).toEqual([
      ['expired', 300],
      ['expired', 100],
    ]);
    // What they gave in this cycle remains given.
    expect(await org.state(sim)).toMatchObject({
      limit_bytes: 1400,
      extra_bytes: 400,
      over_limit: true,
      data_state: 2,
    });
    await top([sim]);
    expect((await tops(sim)).at(-1)).toEqual(['pending', 0]);
    clock.set(at(3));
    await change(sim, 'active');
    expect((await tops(sim)).at(-1)).toEqual(['in use', 0]);
    expect(await org.state(sim)).toMatchObject({
      limit_bytes: 1700,
      extra_bytes: 700,
      over_limit: false,
      data_state: 0,
    });
    clock.set(at(26));
    await turnCycles();
    expect(await org.state(sim)).toMatchObject({ limit_bytes: 1300, extra_bytes: 300 });
    // A suspend and a resume that have not been processed yet: it ended nevertheless.
    await inTransaction(database.pool, async (tx) => {
      for (const to of ['paused', 'active'] as const) {
        await changeLifecycle(tx, { simIds: [sim.id], to, reason: to, actor: null, at: clock.now() });
      }
    });
    await digest();
    expect((await tops(sim)).at(-1)).toEqual(['expired', 0]);
    expect(await org.state(sim)).toMatchObject({ limit_bytes: 1000, extra_bytes: 0 });
  });

  it('continues under the next basic order, and ends when the SIM expires', async () => {
    const sim = await active();
    await org.order([sim], 'BASE', clock.now());
    clock.set(at(29 * 24));
    await top([sim]);
    clock.set(at(30 * 24));
    await endOrders({ pool: database.pool, now: clock.now() });
    expect(await org.state(sim)).toMatchObject({ bundle: 'BASE', limit_bytes: 1300, extra_bytes: 300 });
    await use(sim, 1100);
    clock.set(at(31 * 24));
    await turnCycles();
    expect(await org.state(sim)).toMatchObject({ limit_bytes: 1200, extra_bytes: 200 });
    await database.pool.query(`update bundle_orders set expires_at = $1 where status = 'in use'`, [
      clock.now(),
    ]);
    await endOrders({ pool: database.pool, now: clock.now() });
    expect(await tops(sim)).toEqual([['expired', 100]]);
    expect(await org.state(sim)).toMatchObject({ lifecycle: 40, limit_bytes: null, extra_bytes: 0 });
  });
});

describe('a termination', () => {
  it('ends what is in use and cancels what is pending, at its instant', async () => {
    const sim = await active();
    await top([sim]);
    await org.order([sim], 'BASE', clock.now());
    const waiting = await org.sim('pre-activated');
    await org.order([waiting], 'BASE', clock.now());
    clock.set(at(5));
    await inTransaction(database.pool, (tx) =>
      changeLifecycle(tx, {
        simIds: [sim.id, waiting.id],
        to: 'terminated',
        reason: 'termination',
        actor: 'Ana',
        at: at(2),
      }),
    );
    await digest();
    expect((await org.orders(sim)).map(({ code, status, expires_at }) => [code, status, expires_at])).toEqual(
      [
        ['BASE', 'expired', at(2)],
        ['TOP', 'expired', at(2)],
        ['BASE', 'cancelled', null],
      ],
    );
    expect((await org.orders(waiting)).map(({ status }) => status)).toEqual(['cancelled']);
    expect(await org.state(sim)).toMatchObject({
      lifecycle: 50,
      bundle: null,
      limit_bytes: null,
      extra_bytes: 0,
      expires_at: at(2),
    });
    const { rows } = await database.pool.query(
      `select actor, facts->>'reason' as reason from sim_events where sim_id = $1 and kind = 'bundle-ended'`,
      [sim.id],
    );
    expect(rows).toEqual([
      { actor: 'Ana', reason: 'terminated' },
      { actor: 'Ana', reason: 'terminated' },
    ]);
  });

  it('that is processed late: an order that ended in the meantime is followed by none', async () => {
    const sim = await active();
    await org.order([sim], 'BASE', clock.now());
    clock.set(at(31 * 24));
    await inTransaction(database.pool, (tx) =>
      changeLifecycle(tx, {
        simIds: [sim.id],
        to: 'terminated',
        reason: 'termination',
        actor: null,
        at: clock.now(),
      }),
    );
    await endOrders({ pool: database.pool, now: clock.now() });
    await digest();
    expect((await org.orders(sim)).map(({ status, expires_at }) => [status, expires_at])).toEqual([
      ['expired', at(30 * 24)],
      ['cancelled', null],
    ]);
  });
});

describe('a test plan', () => {
  it('runs from its order on; its quota used up makes the SIM active with the pending bundle', async () => {
    const sim = await org.sim('pre-activated');
    await org.order([sim], 'TEST', clock.now());
    expect(await org.state(sim)).toMatchObject({
      lifecycle: 10,
      bundle: 'TEST',
      limit_bytes: 100,
      expires_at: null,
    });
    await org.order([sim], 'BASE', clock.now());
    expect(await org.state(sim)).toMatchObject({ lifecycle: 10, bundle: 'TEST' });
    clock.set(at(1));
    await use(sim, 99);
    expect(await org.state(sim)).toMatchObject({ lifecycle: 10 });
    await use(sim, 1);
    expect(await org.state(sim)).toMatchObject({
      lifecycle: 23,
      bundle: 'BASE',
      activated_at: at(1),
      limit_bytes: 1000,
      used_bytes: 0,
      data_state: 0,
      expires_at: at(30 * 24 + 1),
    });
    expect((await org.orders(sim)).map(({ code, status }) => [code, status])).toEqual([
      ['TEST', 'expired'],
      ['BASE', 'in use'],
    ]);
    const { rows } = await database.pool.query('select used_bytes, limit_bytes from usage_cycles');
    expect(rows).toEqual([{ used_bytes: 100, limit_bytes: 100 }]);
    expect((await org.events(sim)).slice(-3)).toEqual([
      '11-01 lifecycle-changed active test-quota-used',
      '11-01 bundle-ended TEST bundle activated',
      '11-01 bundle-started BASE bundle test-quota-used',
    ]);
  });

  it('that is used up without a bundle behind it stops the SIM until one is ordered', async () => {
    const sim = await org.sim('pre-activated');
    await org.order([sim], 'TEST', clock.now());
    clock.set(at(1));
    await use(sim, 150);
    expect(await org.state(sim)).toMatchObject({ lifecycle: 10, bundle: 'TEST', data_state: 2 });
    await org.order([sim], 'BASE', clock.now());
    expect(await org.state(sim)).toMatchObject({ lifecycle: 23, bundle: 'BASE', data_state: 0 });
  });

  it('that runs out of time leaves the SIM pre-activated', async () => {
    const sim = await org.sim('pre-activated');
    await org.order([sim], 'TEST', clock.now());
    await org.order([sim], 'BASE', clock.now());
    await endOrders({ pool: database.pool, now: at(40 * 24) });
    expect(await org.state(sim)).toMatchObject({ lifecycle: 10, bundle: null });
    expect((await org.orders(sim)).map(({ status }) => status)).toEqual(['expired', 'pending']);
  });
});

describe('"billing then stop after"', () => {
  it('continues over the quota, stops at the amount set, and restarts with the cycle', async () => {
    const sim = await org.sim('active');
    await org.order([sim], 'PAID', clock.now());
    clock.set(at(1));
    await use(sim, 1100);
    expect(await org.state(sim)).toMatchObject({ over_limit: true, data_state: 0, threshold_bytes: 1200 });
    await use(sim, 100);
    expect(await org.state(sim)).toMatchObject({ over_limit: true, data_state: 2, threshold_bytes: null });
    expect((await org.events(sim)).slice(-2)).toEqual(['11-01 quota-reached', '11-01 data-stopped']);
    await top([sim]);
    expect(await org.state(sim)).toMatchObject({ over_limit: false, data_state: 0, threshold_bytes: 1300 });
    clock.set(at(25));
    await turnCycles();
    expect(await org.state(sim)).toMatchObject({ data_state: 0, threshold_bytes: 1100, limit_bytes: 1100 });
  });
});

describe('orders by a sales order', () => {
  it('are placed once, however often they are repeated', async () => {
    const sims = [await org.sim('active'), await org.sim('terminated')];
    const order = (count: number) => org.order(sims, 'BASE', clock.now(), { count, salesOrderId: 'SO-1' });
    expect(await order(2)).toMatchObject({
      placed: 2,
      refused: [{ reason: 'a prepaid basic cannot be ordered for a SIM that is terminated' }],
    });
    expect(await order(2)).toMatchObject({ placed: 0 });
    expect(await order(3)).toMatchObject({ placed: 1 });
    await expect(org.order(sims, 'NONE', clock.now())).rejects.toThrow('There is no bundle NONE');
  });
});
