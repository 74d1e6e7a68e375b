import { endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { runProgram } from '../../../testing/run-program.ts';
import { createBundle, placeOrders } from '../index.ts';

const { sim, task, bundle } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let admin: TestClient;
let operator: TestClient;
let foreign: { iccid: string };

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  const other = await makeOrganisation(test, { code: 'other' });
  admin = await signedInAs(test, 'admin', acme);
  operator = await signedInAs(test, 'operator', acme);
  const { pool } = test.database;
  foreign = await makeSim(pool, other.id, { lifecycle: 'pre-activated' });
  await createBundle(pool, bundleOf({ code: 'B30' }));
  await createBundle(pool, bundleOf({ code: 'TEST', type: 'test plan' }));
  await createBundle(pool, bundleOf({ code: 'TOP', type: 'prepaid supplementary', quota_bytes: 300 }));
});
afterAll(() => test.close());

interface Wanted {
  lifecycle?: 'pre-activated' | 'active' | 'paused' | 'expired' | 'terminated';
  technology?: string;
  orders?: string[];
}

const make = async ({ lifecycle = 'pre-activated', technology, orders = ['B30'] }: Wanted = {}) => {
  const { pool } = test.database;
  const made = await makeSim(pool, acme.id, { lifecycle });
  await pool.query('update sims set technology = $2 where id = $1', [made.id, technology ?? 'one IMSI']);
  await placeOrders(
    pool,
    orders.map((bundleCode) => ({
      simId: made.id,
      bundleCode,
      salesOrderId: 'SO-7',
      orderedAt: test.clock.now(),
    })),
  );
  return made;
};
const named = (...sims: { iccid: string }[]): SimSelection => ({ iccids: sims.map(({ iccid }) => iccid) });
const activate = (selection: SimSelection, preview = false, client = admin) =>
  client.call(bundle.activate, { body: { selection, preview } });
const work = () => runJobs(test.database, test.wiring.jobs);
const stateOf = async (iccid: string) =>
  (
    await test.database.pool.query(
      `select s.lifecycle, s.activated_at, s.expires_at, l.limit_bytes, l.extra_bytes, b.code from sims s
       join sim_live l on l.sim_id = s.id left join bundles b on b.id = s.bundle_id where s.iccid = $1`,
      [iccid],
    )
  ).rows[0];

describe('an activation', () => {
  it('is a task that starts the pending bundle, with actor, reason, task and trace in the events', async () => {
    const [a, b] = [await make({ orders: ['B30', 'TOP', 'TEST'] }), await make()];
    const { http, body } = await activate(named(a, b, a));
    expect(http).toBe(200);
    expect(body.data).toMatchObject({ preview: null, task: { quantity: 2 } });
    const reference = body.data?.task?.reference_id ?? '';
    expect(await stateOf(a.iccid)).toMatchObject({ lifecycle: 10, code: null });
    await work();
    const now = test.clock.now();
    expect(await stateOf(a.iccid)).toEqual({
      lifecycle: 23,
      activated_at: now,
      expires_at: new Date(now.getTime() + 30 * dayMs),
      limit_bytes: 1300,
      extra_bytes: 300,
      code: 'B30',
    });
    const { rows } = await test.database.pool.query(
      `select kind, facts, actor, task_id, trace_id from sim_events where sim_id = $1 order by at, id`,
      [b.id],
    );
    const by = { actor: 'admin Tester', task_id: reference, trace_id: body.trace_id };
    expect(rows).toEqual([
      {
        kind: 'lifecycle-changed',
        facts: { from: 'pre-activated', to: 'active', reason: 'activation' },
        ...by,
      },
      { kind: 'bundle-started', facts: { bundle: 'B30 bundle', order: 'SO-7', reason: 'activation' }, ...by },
    ]);
    const orders = await test.database.pool.query(
      `select b.code, o.status from bundle_orders o join bundles b on b.id = o.bundle_id where sim_id = $1 order by o.id`,
      [a.id],
    );
    expect(orders.rows).toEqual([
      { code: 'B30', status: 'in use' },
      { code: 'TOP', status: 'in use' },
      { code: 'TEST', status: 'cancelled' },
    ]);
    const mine = await admin.call(task.getMine, { params: { taskReference: reference } });
    expect(mine.body.data).toMatchObject({
      type: 'sim-activate',
      status: 'done',
      result: { accepted: 2, refused: 0 },
    });
  });

  it.each([
    ['CB-01-0003', { lifecycle: 'active' }],
    ['CB-01-0003', { lifecycle: 'paused' }],
    ['CB-01-0009', { lifecycle: 'expired' }],
    ['CB-01-0009', { lifecycle: 'terminated' }],
    ['CB-01-0006', { technology: 'OTA' }],
    ['CB-01-0006', { technology: 'OTA BIP' }],
    ['CB-01-0008', { technology: 'multi IMSI' }],
    ['CB-01-0007', { orders: [] }],
    ['CB-01-0007', { orders: ['TOP', 'TEST'] }],
  ] as const)('is refused with %s: %o', async (code, facts) => {
    const one = await make(facts as Wanted);
    expect((await activate(named(one))).body.status.code).toBe(code);
    const preview = await admin.call(bundle.previewActivation, { body: { selection: named(one) } });
    expect(preview.body.data).toMatchObject({
      selected: 1,
      changing: 0,
      refused: [{ code, count: 1, iccids: [one.iccid] }],
    });
  });

  it('is previewed without doing anything, reason by reason', async () => {
    const good = await make();
    const selection = named(good, await make({ orders: [] }), await make({ technology: 'OTA' }), foreign);
    const { body } = await activate(selection, true);
    expect(body.data).toMatchObject({ task: null, preview: { selected: 4, changing: 1 } });
    expect(body.data?.preview?.refused.map(({ code }) => code).sort()).toEqual([
      'CB-01-0006',
      'CB-01-0007',
      'CB-01-0012',
    ]);
    expect(await stateOf(good.iccid)).toMatchObject({ lifecycle: 10 });
  });

  it('is for administrators, and for at most 1,000 SIMs', async () => {
    const one = await make();
    const refused = await activate(named(one), false, operator);
    expect(refused).toMatchObject({ http: 403, body: { status: { code: 'CB-01-0014' } } });
    const iccids = Array.from(
      { length: limits.activation + 1 },
      (_, index) => `8949${String(index).padStart(15, '0')}`,
    );
    const { body } = await activate({ iccids });
    expect(body.status).toMatchObject({
      code: 'CB-01-0002',
      message: 'Exceeding maximum SIMs allowed (max: 1000)!',
    });
  });

  it('does not overlap with another operation on the SIM', async () => {
    const [a, b, busy] = [await make(), await make(), await make()];
    expect((await activate(named(a))).http).toBe(200);
    expect((await activate(named(a))).body.status.code).toBe('CB-01-0004');
    await admin.call(sim.saveNote, { body: { selection: named(busy), notes: 'x' } });
    expect((await activate(named(busy))).body.status.code).toBe('CB-01-0011');
    const mixed = await activate(named(a, b), true);
    expect(mixed.body.data?.preview).toMatchObject({ changing: 1, refused: [{ code: 'CB-01-0004' }] });
    await work();
    expect(await stateOf(a.iccid)).toMatchObject({ lifecycle: 23 });
  });

  it('is decided again when it runs: a SIM that lost its bundle meanwhile is refused in the report', async () => {
    const [a, b] = [await make(), await make()];
    const { body } = await activate(named(a, b));
    await test.database.pool.query(`update bundle_orders set status = 'cancelled' where sim_id = $1`, [a.id]);
    await work();
    expect(await stateOf(a.iccid)).toMatchObject({ lifecycle: 10 });
    expect(await stateOf(b.iccid)).toMatchObject({ lifecycle: 23 });
    const items = await admin.call(task.listItems, {
      params: { taskReference: body.data?.task?.reference_id ?? '' },
      query: {},
    });
    expect(items.body.data?.map(({ code }) => code)).toEqual(['CB-01-0007', null]);
  });

  it('of 1,000 SIMs whose worker is killed repeatedly completes, each SIM once', {
    timeout: 240_000,
  }, async () => {
    const sims = await Promise.all(Array.from({ length: limits.activation }, () => make()));
    const { body } = await activate(named(...sims));
    const reference = body.data?.task?.reference_id ?? '';
    const crash = (step: string, n: number) =>
      runProgram('bundle-steps', [
        test.database.url,
        'tasks',
        test.clock.now().toISOString(),
        step,
        String(n),
      ]);
    expect(await crash('statement', 12)).toBe('SIGKILL');
    await free();
    expect(await crash('before-commit', 3)).toBe('SIGKILL');
    await free();
    expect(await crash('after-commit', 3)).toBe('SIGKILL');
    await free();
    expect(await crash('none', 1)).toBe(0);
    const { rows } = await test.database.pool.query(
      `select
         (select count(*)::int from sims where id = any($1) and lifecycle = 23 and bundle_id is not null) as active,
         (select count(*)::int from bundle_orders where sim_id = any($1) and status = 'in use') as orders,
         (select count(*)::int from sim_events where sim_id = any($1) and kind = 'lifecycle-changed') as changes,
         (select count(*)::int from sim_events where sim_id = any($1) and kind = 'bundle-started') as starts,
         (select count(distinct (payload->>'simId'))::int from outbox
            where topic = 'bundle.order-started' and (payload->>'simId')::bigint = any($1)) as emitted,
         (select count(*)::int from outbox
            where topic = 'bundle.order-started' and (payload->>'simId')::bigint = any($1)) as facts,
         (select count(*)::int from sim_events where sim_id = any($1) and task_id = $2) as "ofTask"`,
      [sims.map(({ id }) => id), reference],
    );
    const all = limits.activation;
    expect(rows[0]).toEqual({
      active: all,
      orders: all,
      changes: all,
      starts: all,
      emitted: all,
      facts: all,
      ofTask: 2 * all,
    });
    const mine = await admin.call(task.getMine, { params: { taskReference: reference } });
    expect(mine.body.data).toMatchObject({
      status: 'done',
      done: all,
      result: { accepted: all, refused: 0 },
    });
    const { rows: counts } = await test.database.pool.query(
      `select (select count(*) from sims where org_id = $1 and lifecycle = c.lifecycle) = c.sims as right
       from org_sim_counts c where org_id = $1`,
      [acme.id],
    );
    expect(counts.every((row) => row.right)).toBe(true);
  });
});

/** The locks and the job of a dead worker are released when the database notices its death. */
const free = async () => {
  const { pool } = test.database;
  await expect
    .poll(
      async () =>
        (await pool.query(`select 1 from pg_stat_activity where application_name = 'bundle steps'`)).rowCount,
    )
    .toBe(0);
  await pool.query(
    `update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now()`,
  );
};
