import type { TaskType } from '@simcube/contract/task';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { signedInAs, type TestApp, type TestClient, testApp } from '../../../testing/app.ts';
import { bundleOf, type TestSim, testBundles } from '../../../testing/bundles.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { listRefusals, startWork } from '../../task/index.ts';
import { simItems } from '../ordering/sim-items.ts';

let test: TestApp;
let bundles: Awaited<ReturnType<typeof testBundles>>;
let admin: TestClient;

beforeAll(async () => {
  test = await testApp();
  bundles = await testBundles(test.database, [
    bundleOf({ code: 'day', reset_cycle: 'day' }),
    bundleOf({ code: 'hours', reset_cycle: '24h day' }),
  ]);
  const { rows } = await test.database.pool.query(
    `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
    [bundles.orgId],
  );
  admin = await signedInAs(test, 'admin', rows[0]);
});
afterAll(() => test.close());

const orderedAt = '2026-11-21T12:00:00Z';
const withBundle = async (bundle: 'day' | 'hours'): Promise<TestSim> => {
  test.clock.set(orderedAt);
  const sim = await bundles.sim('active');
  await bundles.order([sim], bundle, test.clock.now());
  return sim;
};

/** A rule's operation; the rate only for slowing down. */
const operate = async (sim: TestSim, type: 'sim-data-off' | 'sim-slow-down', rateKbps = 128) => {
  await order(sim, { type, parameters: type === 'sim-slow-down' ? { rate_kbps: rateKbps } : {} });
  await runJobs(test.database, test.wiring.jobs);
};
const order = (sim: TestSim, work: { type: TaskType; parameters: object }) =>
  inTransaction(test.database.pool, (tx) =>
    startWork(tx, {
      orgId: bundles.orgId,
      userId: admin.userId,
      remark: null,
      at: test.clock.now(),
      ...work,
      actor: { kind: 'system', id: null, name: 'Rule', address: null, traceId: null, action: undefined },
      kind: simItems,
      access: null,
      items: [{ ref: sim.id, label: sim.iccid }],
    }),
  );
const heldOf = async ({ id }: TestSim) =>
  (await test.database.pool.query('select held_until, held_kbps from sim_live where sim_id = $1', [id]))
    .rows[0];

describe('data that a rule turns off or slows down', () => {
  it.each([
    ['day', 'sim-data-off', '2026-11-21T15:59:59Z', '2026-11-21T16:00:00Z'],
    ['day', 'sim-data-off', '2026-11-21T16:00:00Z', '2026-11-22T16:00:00Z'],
    ['day', 'sim-slow-down', '2026-11-23T04:00:00Z', '2026-11-23T16:00:00Z'],
    ['hours', 'sim-data-off', '2026-11-23T04:00:00Z', '2026-11-23T12:00:00Z'],
  ] as const)(
    'stays so until the end of the cycle that runs then, even if nothing is counted in it yet (%s, %s at %s)',
    async (bundle, type, at, until) => {
      const sim = await withBundle(bundle);
      test.clock.set(at);
      await operate(sim, type);
      expect(await heldOf(sim)).toMatchObject({ held_until: new Date(until) });
    },
  );

  it.each([
    ['sim-data-off', {}],
    ['sim-slow-down', { rate_kbps: 128 }],
    ['sim-terminate-order', {}],
  ] as const)('is refused in the next cycle if it is meant for one (%s)', async (type, parameters) => {
    const [sim, inTime] = [await withBundle('day'), await withBundle('day')];
    const [end, justBefore] = ['2026-11-21T16:00:00Z', '2026-11-21T15:59:59Z'];
    test.clock.set(justBefore);
    const forCycle = { type, parameters: { ...parameters, cycle_at: justBefore } };
    await order(inTime, forCycle);
    await runJobs(test.database, test.wiring.jobs);
    const late = await order(sim, forCycle);
    test.clock.set(end);
    await runJobs(test.database, test.wiring.jobs);
    expect(await listRefusals(test.database.pool, late.reference_id)).toEqual(
      new Map([[sim.id, 'CB-05-0019']]),
    );
    const changes = async (of: TestSim) =>
      (await bundles.events(of)).filter((event) => /data-|bundle-ended/.test(event)).length;
    expect([await changes(inTime), await changes(sim)]).toEqual([1, 0]);
  });

  it('stays off when another rule slows it down, until the cycle ends', async () => {
    const sim = await withBundle('day');
    await operate(sim, 'sim-data-off');
    await operate(sim, 'sim-slow-down');
    expect(await heldOf(sim)).toMatchObject({ held_kbps: null });
    expect((await bundles.events(sim)).filter((event) => event.includes('data-'))).toEqual([
      '11-21 data-off',
    ]);
    test.clock.set('2026-11-21T16:00:00Z');
    await operate(sim, 'sim-slow-down');
    expect(await heldOf(sim)).toMatchObject({ held_kbps: 128 });
  });

  it('gets the rate of the last rule that slows it down, and is turned off by one that does that', async () => {
    const sim = await withBundle('day');
    await operate(sim, 'sim-slow-down', 128);
    await operate(sim, 'sim-slow-down', 256);
    expect(await heldOf(sim)).toMatchObject({ held_kbps: 256 });
    await operate(sim, 'sim-data-off');
    expect(await heldOf(sim)).toMatchObject({ held_kbps: null });
  });
});
