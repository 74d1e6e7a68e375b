import { endpoints } from '@simcube/contract';
import type { BundleChangeTime } from '@simcube/contract/bundle';
import type { SimSelection } from '@simcube/contract/sim';
import { dayMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
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
import { createBundle } from '../index.ts';
import { endOrders } from '../lifecycle/lifecycle.service.ts';
import { orderBundle } from '../lifecycle/ordering.service.ts';

const { bundle, task } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let admin: TestClient;
let operator: TestClient;
let user: TestClient;
let stranger: TestClient;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  admin = await signedInAs(test, 'admin', acme);
  operator = await signedInAs(test, 'operator', acme);
  user = await signedInAs(test, 'user', acme);
  stranger = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'other' }));
  const offered = { orderable: true } as const;
  for (const spec of [
    bundleOf({ code: 'B30', ...offered }),
    bundleOf({ code: 'B60', ...offered, quota_bytes: 5000, duration_days: 60 }),
    bundleOf({ code: 'FREE', ...offered, quota_bytes: null, duration_days: null }),
    bundleOf({ code: 'POST', ...offered, type: 'postpaid flow' }),
    bundleOf({ code: 'TEST', ...offered, type: 'test plan' }),
    bundleOf({ code: 'TOP', ...offered, type: 'prepaid supplementary', quota_bytes: 300 }),
    bundleOf({ code: 'SECRET' }),
    bundleOf({ code: 'SECRET-TOP', type: 'prepaid supplementary', quota_bytes: 300 }),
  ]) {
    await createBundle(test.database.pool, spec);
  }
});
afterAll(() => test.close());

type Lifecycle = 'pre-activated' | 'active' | 'paused' | 'expired' | 'terminated';
interface Wanted {
  lifecycle?: Lifecycle;
  orders?: readonly string[];
}
interface Sim {
  id: number;
  iccid: string;
}

/** SIMs with orders as placed by the operator; for expired SIMs they are over afterwards. */
const makeAll = async (count: number, { lifecycle = 'active', orders = ['B30'] }: Wanted = {}) => {
  const { pool } = test.database;
  const isOver = lifecycle === 'expired' || lifecycle === 'terminated';
  const start = { lifecycle: isOver ? 'active' : lifecycle } as const;
  const sims = await Promise.all(Array.from({ length: count }, () => makeSim(pool, acme.id, start)));
  const orderedAt = new Date(test.clock.now().getTime() - (isOver ? 40 * dayMs : 0));
  const iccids = sims.map(({ iccid }) => iccid);
  for (const bundleCode of orders) {
    await inTransaction(pool, (tx) => orderBundle(tx, { iccids, bundleCode, count: 1, now: orderedAt }));
  }
  if (isOver) await endOrders({ pool, now: test.clock.now() });
  if (lifecycle === 'terminated') {
    await pool.query('update sims set lifecycle = 50 where id = any($1)', [sims.map(({ id }) => id)]);
  }
  return sims;
};
const make = async (wanted: Wanted = {}): Promise<Sim> => {
  const [sim] = await makeAll(1, wanted);
  if (!sim) throw new Error('no SIM was made');
  return sim;
};
const named = (...sims: { iccid: string }[]): SimSelection => ({ iccids: sims.map(({ iccid }) => iccid) });
const work = () => runJobs(test.database, test.wiring.jobs);
const later = (days: number) => new Date(test.clock.now().getTime() + days * dayMs);

const renew = (selection: SimSelection, preview = false, client = admin) =>
  client.call(bundle.renew, { body: { selection, preview } });
const topUp = (selection: SimSelection, code = 'TOP', preview = false, client = admin) =>
  client.call(bundle.topUp, { body: { selection, preview, bundle_code: code } });
const change = (
  selection: SimSelection,
  { code = 'B60', when = 'at-end' as BundleChangeTime, preview = false, client = admin } = {},
) => client.call(bundle.change, { body: { selection, preview, bundle_code: code, when } });

const ordersOf = async ({ id }: Sim): Promise<[string, string][]> =>
  (
    await test.database.pool.query<{ code: string; status: string }>(
      `select b.code, o.status from bundle_orders o join bundles b on b.id = o.bundle_id
       where o.sim_id = $1 order by o.id`,
      [id],
    )
  ).rows.map(({ code, status }) => [code, status]);
const stateOf = async ({ id }: Sim) =>
  (
    await test.database.pool.query(
      `select s.lifecycle, s.expires_at, l.limit_bytes, l.extra_bytes, b.code from sims s
       join sim_live l on l.sim_id = s.id left join bundles b on b.id = s.bundle_id where s.id = $1`,
      [id],
    )
  ).rows[0];
const eventsOf = async ({ id }: Sim, taskId: string) =>
  (
    await test.database.pool.query(
      `select concat_ws(' ', kind, facts->>'bundle', facts->>'reason') as what, actor, facts->>'order' as "order"
       from sim_events where sim_id = $1 and task_id = $2 order by at, id`,
      [id, taskId],
    )
  ).rows;
const referenceOf = ({ body }: Awaited<ReturnType<typeof renew>>) => body.data?.task?.reference_id ?? '';
const codesOf = async (reference: string) =>
  (
    (await admin.call(task.listItems, { params: { taskReference: reference }, query: {} })).body.data ?? []
  ).map(({ code }) => code);
const lines = ({ body }: Awaited<ReturnType<typeof renew>>) => body.data?.preview?.lines;

describe('a renewal', () => {
  it('orders the same bundle after the one in use, with actor, task and trace in the events', async () => {
    const sim = await make();
    const end = later(30).toISOString();
    expect(lines(await renew(named(sim), true))).toEqual([
      {
        bundle: { code: 'B30', name: 'B30 bundle' },
        current: { code: 'B30', name: 'B30 bundle' },
        orders: 1,
        at_once: 0,
        current_ends_first: end,
        current_ends_last: end,
        price: null,
      },
    ]);
    expect(await ordersOf(sim)).toEqual([['B30', 'in use']]);
    const reference = referenceOf(await renew(named(sim)));
    await work();
    expect(await ordersOf(sim)).toEqual([
      ['B30', 'in use'],
      ['B30', 'pending'],
    ]);
    expect(await stateOf(sim)).toMatchObject({ lifecycle: 23, expires_at: later(60) });
    expect(await eventsOf(sim, reference)).toEqual([
      { what: 'bundle-ordered B30 bundle', actor: 'admin Tester', order: reference },
    ]);
    const again = await renew(named(sim));
    expect([again.http, again.body.status.code, again.body.status.message]).toEqual([
      409,
      'CB-02-0004',
      'Another bundle order is already pending for this SIM.',
    ]);
  });

  it('activates an expired SIM immediately, while the order of a paused one waits', async () => {
    const [expired, paused] = [await make({ lifecycle: 'expired' }), await make({ lifecycle: 'paused' })];
    const postpaid = await make({ lifecycle: 'expired', orders: ['POST'] });
    expect(await stateOf(expired)).toMatchObject({ lifecycle: 40, code: null });
    expect(lines(await renew(named(expired, paused), true))).toMatchObject([{ orders: 2, at_once: 1 }]);
    const reference = referenceOf(await renew(named(expired, paused, postpaid)));
    await work();
    expect(await stateOf(postpaid)).toMatchObject({ lifecycle: 23, code: 'POST' });
    expect(await stateOf(expired)).toMatchObject({ lifecycle: 23, code: 'B30', expires_at: later(30) });
    expect(new Set((await eventsOf(expired, reference)).map(({ what }) => what))).toEqual(
      new Set([
        'bundle-ordered B30 bundle',
        'bundle-started B30 bundle ordered',
        'lifecycle-changed renewal',
      ]),
    );
    expect(await ordersOf(paused)).toEqual([
      ['B30', 'in use'],
      ['B30', 'pending'],
    ]);
  });

  it.each<[string, Wanted]>([
    ['CB-01-0009', { lifecycle: 'terminated' }],
    ['CB-02-0002', { orders: ['SECRET'] }],
    ['CB-02-0003', { orders: [] }],
    ['CB-02-0003', { lifecycle: 'pre-activated', orders: ['TEST', 'B30'] }],
    ['CB-02-0004', { orders: ['B30', 'B60'] }],
    ['CB-02-0005', { orders: ['FREE'] }],
    ['CB-02-0006', { orders: ['POST'] }],
  ])('is refused with %s: %o', async (code, wanted) => {
    const sim = await make(wanted);
    const before = await ordersOf(sim);
    const { http, body } = await renew(named(sim));
    expect([http, body.status.code]).toEqual([409, code]);
    expect((await renew(named(sim), true)).body.data?.preview).toMatchObject({
      selected: 1,
      changing: 0,
      refused: [{ code, count: 1, iccids: [sim.iccid] }],
      lines: [],
    });
    expect(await ordersOf(sim)).toEqual(before);
  });
});

describe('a top-up', () => {
  it('is refused once the time of the bundle in use is over and nothing follows it', async () => {
    const [over, followed] = [await make(), await make({ orders: ['B30', 'B30'] })];
    await test.database.pool.query(
      "update bundle_orders set expires_at = $2 where sim_id = any($1) and status = 'in use'",
      [[over.id, followed.id], later(-1)],
    );
    const { http, body } = await topUp(named(over));
    expect([http, body.status.code]).toEqual([409, 'CB-01-0009']);
    expect(lines(await topUp(named(followed), 'TOP', true))).toMatchObject([{ orders: 1, at_once: 1 }]);
  });

  it('adds its quota immediately, for each order; a paused SIM gets it when resumed', async () => {
    const [active, paused] = [await make(), await make({ lifecycle: 'paused' })];
    expect(lines(await topUp(named(active, paused), 'TOP', true))).toMatchObject([
      { bundle: { code: 'TOP' }, current: { code: 'B30' }, orders: 2, at_once: 1 },
    ]);
    await topUp(named(active, paused));
    await work();
    expect(await stateOf(active)).toMatchObject({ code: 'B30', limit_bytes: 1300, extra_bytes: 300 });
    expect(await ordersOf(paused)).toEqual([
      ['B30', 'in use'],
      ['TOP', 'pending'],
    ]);
    expect((await topUp(named(active))).http).toBe(200);
    await work();
    expect(await stateOf(active)).toMatchObject({ limit_bytes: 1600, extra_bytes: 600 });
  });

  it.each<[string, Wanted, string?]>([
    ['CB-01-0009', { lifecycle: 'terminated' }],
    ['CB-01-0009', { lifecycle: 'expired' }],
    ['CB-02-0002', {}, 'SECRET-TOP'],
    ['CB-02-0002', {}, 'B60'],
    ['CB-02-0002', {}, 'NONE'],
    ['CB-02-0003', { orders: [] }],
    ['CB-02-0003', { lifecycle: 'pre-activated', orders: ['TEST'] }],
    ['CB-02-0008', { orders: ['FREE'] }],
  ])('is refused with %s: %o %s', async (code, wanted, bundleCode = 'TOP') => {
    const sim = await make(wanted);
    const before = await ordersOf(sim);
    const { http, body } = await topUp(named(sim), bundleCode);
    expect([http, body.status.code]).toEqual([409, code]);
    const preview = await topUp(named(sim), bundleCode, true);
    expect(preview.body.data?.preview).toMatchObject({ changing: 0, refused: [{ code }] });
    expect(await ordersOf(sim)).toEqual(before);
  });
});

describe('a change of bundle', () => {
  it('at the end waits for the end of the bundle in use', async () => {
    const sim = await make();
    expect(lines(await change(named(sim), { preview: true }))).toMatchObject([
      { bundle: { code: 'B60' }, current: { code: 'B30' }, orders: 1, at_once: 0 },
    ]);
    await change(named(sim));
    await work();
    expect(await ordersOf(sim)).toEqual([
      ['B30', 'in use'],
      ['B60', 'pending'],
    ]);
    expect(await stateOf(sim)).toMatchObject({ code: 'B30', limit_bytes: 1000, expires_at: later(90) });
  });

  it('now ends the bundle in use, starts the other one, and keeps a top-up', async () => {
    const sim = await make({ orders: ['B30', 'TOP'] });
    expect(lines(await change(named(sim), { when: 'now', preview: true }))).toMatchObject([
      { orders: 1, at_once: 1, current_ends_last: later(30).toISOString() },
    ]);
    const reference = referenceOf(await change(named(sim), { when: 'now' }));
    await work();
    expect(await ordersOf(sim)).toEqual([
      ['B30', 'expired'],
      ['TOP', 'in use'],
      ['B60', 'in use'],
    ]);
    const quota = { limit_bytes: 5300, extra_bytes: 300 };
    expect(await stateOf(sim)).toEqual({ lifecycle: 23, code: 'B60', expires_at: later(60), ...quota });
    expect(new Set((await eventsOf(sim, reference)).map(({ what }) => what))).toEqual(
      new Set([
        'bundle-ended B30 bundle bundle-changed',
        'bundle-ordered B60 bundle',
        'bundle-started B60 bundle ordered',
      ]),
    );
  });

  it('now replaces a bundle without an end', async () => {
    const sim = await make({ lifecycle: 'paused', orders: ['FREE'] });
    expect((await change(named(sim))).body.status.code).toBe('CB-02-0005');
    await change(named(sim), { when: 'now' });
    await work();
    expect(await stateOf(sim)).toMatchObject({ lifecycle: 30, code: 'B60', expires_at: later(60) });
  });

  it.each<[string, Wanted, string, BundleChangeTime]>([
    ['CB-01-0009', { lifecycle: 'expired' }, 'B60', 'now'],
    ['CB-01-0009', { lifecycle: 'terminated' }, 'B60', 'at-end'],
    ['CB-02-0002', {}, 'SECRET', 'now'],
    ['CB-02-0002', {}, 'TOP', 'at-end'],
    ['CB-02-0002', {}, 'TEST', 'at-end'],
    ['CB-02-0003', { orders: [] }, 'B60', 'now'],
    ['CB-02-0004', { orders: ['B30', 'B30'] }, 'B60', 'at-end'],
    ['CB-02-0004', { orders: ['B30', 'B30'] }, 'B60', 'now'],
    ['CB-02-0007', {}, 'B30', 'now'],
  ])('is refused with %s: %o to %s, %s', async (code, wanted, bundleCode, when) => {
    const sim = await make(wanted);
    const before = await ordersOf(sim);
    const { http, body } = await change(named(sim), { code: bundleCode, when });
    expect([http, body.status.code]).toEqual([409, code]);
    const preview = await change(named(sim), { code: bundleCode, when, preview: true });
    expect(preview.body.data?.preview).toMatchObject({ changing: 0, refused: [{ code }] });
    expect(await ordersOf(sim)).toEqual(before);
  });
});

describe('orders', () => {
  it('are for administrators, of SIMs of their organisation', async () => {
    const sim = await make();
    for (const client of [user, operator]) {
      for (const answer of [
        await renew(named(sim), false, client),
        await topUp(named(sim), 'TOP', false, client),
        await change(named(sim), { client }),
        await client.call(bundle.listOffered, { query: { kind: 'basic' } }),
      ]) {
        expect([answer.http, answer.body.status.code]).toEqual([403, 'CB-01-0014']);
      }
    }
    for (const answer of [
      await renew(named(sim), false, stranger),
      await topUp(named(sim), 'TOP', false, stranger),
      await change(named(sim), { client: stranger }),
    ]) {
      expect([answer.http, answer.body.status.code]).toEqual([404, 'CB-01-0012']);
    }
    expect(await ordersOf(sim)).toEqual([['B30', 'in use']]);
  });

  it('accept bundles that the catalogue offers', async () => {
    const codes = async (kind: 'basic' | 'supplementary', search?: string) =>
      (await admin.call(bundle.listOffered, { query: { kind, search } })).body.data?.map(({ code }) => code);
    expect(await codes('basic')).toEqual(['B30', 'B60', 'FREE', 'POST']);
    expect(await codes('basic', 'b6')).toEqual(['B60']);
    expect(await codes('supplementary')).toEqual(['TOP']);
  });

  it('of a mixed selection do what the preview says, and the report names every SIM', async () => {
    const sims = [await make(), await make({ orders: ['POST'] }), await make({ lifecycle: 'expired' })];
    const foreign = await makeSim(test.database.pool, stranger.orgId);
    const selection = named(...sims, foreign);
    expect((await renew(selection, true)).body.data?.preview).toMatchObject({
      selected: 4,
      changing: 2,
      lines: [{ orders: 2, at_once: 1 }],
    });
    const reference = referenceOf(await renew(selection));
    await work();
    expect(await codesOf(reference)).toEqual([null, 'CB-02-0006', null, 'CB-01-0012']);
  });

  it('that come at the same moment: one gets the SIMs', async () => {
    const sims = await makeAll(5);
    const other = await signedInAs(test, 'admin', acme);
    const answers = await Promise.all([
      renew(named(...sims)),
      change(named(...sims.toReversed()), { client: other }),
    ]);
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ http }) => http === 409)?.body.status.code).toBe('CB-01-0011');
    await work();
    for (const sim of sims) expect(await ordersOf(sim)).toHaveLength(2);
  });

  it('are decided again when they are placed', async () => {
    const [ended, withdrawn] = [await make(), await make({ orders: ['POST'] })];
    const top = referenceOf(await topUp(named(ended)));
    const changed = referenceOf(await change(named(withdrawn), { when: 'now' }));
    const { pool } = test.database;
    await pool.query('update sims set lifecycle = 40 where id = $1', [ended.id]);
    await pool.query(`update bundles set orderable = false where code = 'B60'`);
    await work();
    await pool.query(`update bundles set orderable = true where code = 'B60'`);
    expect(await codesOf(top)).toEqual(['CB-01-0009']);
    expect(await codesOf(changed)).toEqual(['CB-02-0002']);
    expect(await ordersOf(ended)).toEqual([['B30', 'in use']]);
    expect(await ordersOf(withdrawn)).toEqual([['POST', 'in use']]);
  });
});
