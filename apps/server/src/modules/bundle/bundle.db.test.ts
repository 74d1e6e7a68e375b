import { type BundleSpec, bundleSpecSchema } from '@simcube/contract/bundle';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { makeSim } from '../../testing/inventory.ts';
import { BundleRefused } from './bundle.rules.ts';
import { createBundle } from './bundle.service.ts';
import { listBundles } from './bundle.views.ts';
import { endBasicOrders, placeOrders, startBasicOrders } from './orders/orders.service.ts';

let database: Database;
let orgId: number;
const now = new Date('2026-11-21T12:00:00Z');
const orderedAt = new Date('2026-11-01T00:00:00Z');

const monthly = bundleSpecSchema.parse({
  code: 'EU5',
  name: 'EU 5 GB Month',
  sku: 'SKU-EU5',
  type: 'prepaid basic',
  quota_bytes: 5 * 1024 ** 3,
  overage_policy: 'billing and slow down',
  reset_cycle: 'full month',
  slow_kbps: 128,
  duration_days: 90,
});
const extra: BundleSpec = { ...monthly, code: 'EXTRA', type: 'prepaid supplementary' };

beforeAll(async () => {
  database = await testDatabase();
  const { rows } = await database.pool.query(
    `insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE') returning id`,
  );
  orgId = rows[0].id;
  for (const spec of [monthly, extra]) await createBundle(database.pool, spec);
});
afterAll(() => database.close());

const order = (simId: number, bundleCode = 'EU5') => ({ simId, bundleCode, salesOrderId: 'SO-1', orderedAt });
const start = (orderIds: number[], activatedAt = new Date('2026-10-31T10:00:00Z')) =>
  inTransaction(database.pool, (tx) =>
    startBasicOrders(tx, { starts: orderIds.map((orderId) => ({ orderId, activatedAt })), now }),
  );
const place = async (...orders: ReturnType<typeof order>[]) =>
  (await placeOrders(database.pool, orders)).map(({ orderId }) => orderId);

describe('bundles', () => {
  it('are created once; the same again changes nothing, another with the same code is rejected', async () => {
    expect(await createBundle(database.pool, monthly)).toBe(false);
    await expect(createBundle(database.pool, { ...monthly, quota_bytes: 1 })).rejects.toThrow(BundleRefused);
    expect((await listBundles(database.pool, { limit: 10 })).map(({ code }) => code)).toEqual([
      'EU5',
      'EXTRA',
    ]);
  });
});

describe('bundle orders', () => {
  it('give the SIM its bundle, limit, cycle and end when they start', async () => {
    const sim = await makeSim(database.pool, orgId);
    const [first, second] = await place(order(sim.id), order(sim.id));
    expect(await start([first ?? 0])).toHaveLength(1);
    const { rows } = await database.pool.query(
      `select b.code, s.expires_at, l.limit_bytes, l.threshold_bytes, l.cycle_started_at, l.cycle_ends_at, o.status,
         o.activated_at, o.expires_at as order_ends_at
       from sims s join sim_live l on l.sim_id = s.id join bundles b on b.id = s.bundle_id
       join bundle_orders o on o.id = $2 where s.id = $1`,
      [sim.id, first],
    );
    expect(rows[0]).toEqual({
      code: 'EU5',
      // The pending order follows the end of the one in use.
      expires_at: new Date('2027-04-29T10:00:00Z'),
      limit_bytes: 5 * 1024 ** 3,
      threshold_bytes: 5 * 1024 ** 3,
      cycle_started_at: new Date('2026-10-31T10:00:00Z'),
      cycle_ends_at: new Date('2026-11-29T16:00:00Z'),
      status: 'in use',
      activated_at: new Date('2026-10-31T10:00:00Z'),
      order_ends_at: new Date('2027-01-29T10:00:00Z'),
    });
    expect(await start([second ?? 0]), 'one basic order at a time').toEqual([]);
    const facts = await database.pool.query(
      `select topic, payload from outbox where payload->>'iccid' = $1`,
      [sim.iccid],
    );
    expect(facts.rows).toMatchObject([{ topic: 'bundle.order-started', payload: { bundleCode: 'EU5' } }]);
    const moved = await database.pool.query(
      `select org_id from outbox where topic = 'bundle.lifecycle-ends-moved' and payload->'simIds' @> to_jsonb($1::bigint)`,
      [sim.id],
    );
    expect(moved.rows).toEqual([{ org_id: orgId }]);
    const events = await database.pool.query('select kind, facts from sim_events where sim_id = $1', [
      sim.id,
    ]);
    expect(events.rows).toEqual([
      { kind: 'bundle-started', facts: { bundle: 'EU 5 GB Month', order: 'SO-1' } },
    ]);
  });

  it('start once, and only one of several pending ones', async () => {
    const sim = await makeSim(database.pool, orgId);
    const ids = await place(order(sim.id), order(sim.id), order(sim.id, 'EXTRA'));
    expect((await start(ids)).map(({ order: { orderId } }) => orderId)).toEqual([ids[0]]);
    expect(await start(ids)).toEqual([]);
  });

  it('start once for concurrent requests', async () => {
    const sim = await makeSim(database.pool, orgId);
    const ids = await place(order(sim.id), order(sim.id));
    const [one, two] = ids;
    const outcomes = await Promise.all([start([one ?? 0]), start([two ?? 0]), start(ids)]);
    expect(outcomes.flat()).toHaveLength(1);
    const { rows } = await database.pool.query(
      `select count(*) from bundle_orders where sim_id = $1 and status = 'in use'`,
      [sim.id],
    );
    expect(rows[0].count).toBe(1);
  });

  it('leave the SIM without bundle, limit and cycle when they end, and its pending ones alone', async () => {
    const sim = await makeSim(database.pool, orgId);
    const [first] = await place(order(sim.id), order(sim.id));
    await start([first ?? 0]);
    const end = () =>
      endBasicOrders(database.pool, {
        ends: [{ simId: sim.id, at: now }],
        now,
        cause: { reason: 'order-ended' },
      });
    expect(await end()).toMatchObject([{ orderId: first }]);
    expect(await end()).toEqual([]);
    const { rows } = await database.pool.query(
      `select s.bundle_id, l.limit_bytes, l.threshold_bytes, l.cycle_ends_at,
         (select array_agg(status order by id) from bundle_orders where sim_id = s.id) as orders
       from sims s join sim_live l on l.sim_id = s.id where s.id = $1`,
      [sim.id],
    );
    expect(rows[0]).toEqual({
      bundle_id: null,
      limit_bytes: null,
      threshold_bytes: null,
      cycle_ends_at: null,
      orders: ['expired', 'pending'],
    });
  });

  it('are rejected for unknown SIMs and bundles', async () => {
    const sim = await makeSim(database.pool, orgId);
    await expect(
      inTransaction(database.pool, (tx) => placeOrders(tx, [order(sim.id), order(9_999_999)])),
    ).rejects.toThrow(BundleRefused);
    await expect(placeOrders(database.pool, [order(sim.id, 'NONE')])).rejects.toThrow(BundleRefused);
  });
});
