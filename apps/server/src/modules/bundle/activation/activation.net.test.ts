import { endpoints } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { attribute, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { signedInAs } from '../../../testing/app.ts';
import { bundleOf } from '../../../testing/bundles.ts';
import { testNetwork } from '../../../testing/network.ts';
import {
  attributesOf,
  radiusInventory,
  sendAccounting,
  type TestSims,
  type Values,
} from '../../../testing/radius.ts';
import { createBundle, placeOrders } from '../index.ts';
import { endOrders } from '../lifecycle/lifecycle.service.ts';
import { orderBundle } from '../lifecycle/ordering.service.ts';

const { bundle } = endpoints;
const soon = { timeout: 30_000, interval: 20 };
const germany = { mcc: '262', mnc: '02' };
const america = { mcc: '310', mnc: '410' };

const { test, gateway, server, close } = await testNetwork();

beforeAll(async () => {
  const { pool } = test.database;
  await pool.query(
    `insert into networks values (262002, '262', '02', 'Vodafone', 'DE'), (310410, '310', '410', 'AT&T', 'US')
     on conflict do nothing`,
  );
  await createBundle(
    pool,
    bundleOf({ code: 'EU', coverage_countries: ['DE', 'FR'], out_of_coverage_policy: 'shut down' }),
  );
  await createBundle(pool, bundleOf({ code: 'TEST', type: 'test plan', quota_bytes: 100 }));
  await createBundle(pool, bundleOf({ code: 'TOP', type: 'prepaid supplementary', quota_bytes: 500 }));
});
afterAll(close);

const ask = async (imsi: string, more: Values = {}) => {
  const reply = await server.auth.send({
    code: radiusCode.accessRequest,
    attributes: attributesOf({ imsi, calledStationId: 'iot.example', ...more }),
  });
  if (!reply.ok) throw new Error(reply.reason);
  return reply.packet.code === radiusCode.accessAccept
    ? 'accepted'
    : readAttribute(reply.packet, attribute.replyMessage);
};

const inventory = (count: number, lifecycle: number) =>
  radiusInventory(test.database, count, { lifecycle, coaPort: gateway.port });
const order = (sims: TestSims, bundleCode: string) =>
  inTransaction(test.database.pool, (tx) =>
    orderBundle(tx, { iccids: [sims.iccid(0)], bundleCode, count: 1, now: test.clock.now() }),
  );
const session = (sims: TestSims) => `S${sims.orgId}`;
const tell = (
  sims: TestSims,
  status: 'start' | 'interim' | 'stop',
  more: { up?: number; network?: typeof germany } = {},
) =>
  sendAccounting(server.acct, status, {
    imsi: sims.imsi(0),
    session: session(sims),
    at: test.clock.now(),
    ip: `10.77.${sims.orgId % 250}.1`,
    ...more,
  });
const orders = (sims: TestSims, code: number) =>
  gateway.received
    .filter((packet) => packet.code === code)
    .map((packet) => readAttribute(packet, attribute.acctSessionId))
    .filter((id) => id === session(sims)).length;
const lifecycle = async (sims: TestSims) =>
  (await test.database.pool.query('select lifecycle from sims where id = $1', [sims.ids[0]])).rows[0]
    .lifecycle;

describe('an activation', () => {
  it('gives the SIM access to the network', async () => {
    const sims = await inventory(1, 10);
    const { rows } = await test.database.pool.query(
      `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
      [sims.orgId],
    );
    const admin = await signedInAs(test, 'admin', rows[0]);
    await placeOrders(test.database.pool, [
      { simId: sims.ids[0] ?? 0, bundleCode: 'EU', orderedAt: test.clock.now() },
    ]);
    expect(await ask(sims.imsi(0))).toBe('SIM not activated');
    const selection = { iccids: [sims.iccid(0)] };
    expect((await admin.call(bundle.activate, { body: { selection, preview: false } })).http).toBe(200);
    await expect.poll(() => ask(sims.imsi(0)), soon).toBe('accepted');
  });

  it('happens automatically when accounting reports that the test quota is used up', async () => {
    const sims = await inventory(1, 10);
    await order(sims, 'TEST');
    await order(sims, 'EU');
    expect(await ask(sims.imsi(0))).toBe('accepted');
    await tell(sims, 'start');
    await tell(sims, 'interim', { up: 120 });
    await expect.poll(() => lifecycle(sims), soon).toBe(23);
    expect(await ask(sims.imsi(0))).toBe('accepted');
    const { rows } = await test.database.pool.query(
      `select b.code, o.status from bundle_orders o join bundles b on b.id = o.bundle_id where sim_id = $1 order by o.id`,
      [sims.ids[0]],
    );
    expect(rows).toEqual([
      { code: 'TEST', status: 'expired' },
      { code: 'EU', status: 'in use' },
    ]);
  });
});

describe('a bundle that refuses other countries', () => {
  it('has sessions rejected there, by network and by location, and nowhere else', async () => {
    const sims = await inventory(1, 23);
    await order(sims, 'EU');
    expect(await ask(sims.imsi(0), { sgsnMccMnc: '26202' })).toBe('accepted');
    expect(await ask(sims.imsi(0), { sgsnMccMnc: '310410' })).toBe('Country not covered by the bundle');
    expect(await ask(sims.imsi(0), { sgsnMccMnc: '999077' })).toBe('accepted');
    expect(await ask(sims.imsi(0))).toBe('accepted');
    await expect
      .poll(
        async () =>
          (
            await test.database.pool.query('select reason from radius_rejects where sim_id = $1', [
              sims.ids[0],
            ])
          ).rows,
        soon,
      )
      .toEqual([{ reason: 'outside-coverage' }]);
  });

  it('ends a session that moves to one of them', async () => {
    const sims = await inventory(1, 23);
    await order(sims, 'EU');
    await tell(sims, 'start', { network: germany });
    await tell(sims, 'interim', { up: 10, network: germany });
    test.clock.advance(1000);
    await tell(sims, 'interim', { up: 20, network: america });
    // The order's own fact may be handled only now, and requests the same.
    await expect.poll(() => orders(sims, radiusCode.disconnectRequest), soon).toBeGreaterThanOrEqual(1);
    const reasons = async () => {
      const { rows } = await test.database.pool.query<{ reason: string }>(
        `select distinct facts->>'reason' as reason from sim_events
         where sim_id = $1 and kind = 'network-disconnect'`,
        [sims.ids[0]],
      );
      return rows;
    };
    // The event is written when the gateway has responded.
    await expect.poll(reasons, soon).toEqual([{ reason: 'outside-coverage' }]);
  });

  it('ends a session that is in one of them when the bundle starts', async () => {
    const sims = await inventory(1, 23);
    await tell(sims, 'start', { network: america });
    await order(sims, 'EU');
    await expect.poll(() => orders(sims, radiusCode.disconnectRequest), soon).toBe(1);
  });
});

describe('the end of the last order', () => {
  it('ends the session, and a renewal gives access again', async () => {
    const sims = await inventory(1, 23);
    await order(sims, 'EU');
    await tell(sims, 'start');
    test.clock.advance(31 * dayMs);
    await endOrders({ pool: test.database.pool, now: test.clock.now() });
    await expect.poll(() => orders(sims, radiusCode.disconnectRequest), soon).toBe(1);
    expect(await ask(sims.imsi(0))).toBe('SIM expired');
    await order(sims, 'EU');
    expect(await ask(sims.imsi(0))).toBe('accepted');
  });
});

describe('a top-up', () => {
  it('restores data of a SIM whose quota is used up', async () => {
    const sims = await inventory(1, 23);
    await order(sims, 'EU');
    await tell(sims, 'start');
    test.clock.advance(1000);
    await tell(sims, 'interim', { up: 1200 });
    await expect.poll(() => orders(sims, radiusCode.disconnectRequest), soon).toBe(1);
    expect(await ask(sims.imsi(0))).toBe('Data quota used up');
    await order(sims, 'TOP');
    expect(await ask(sims.imsi(0))).toBe('accepted');
    test.clock.advance(1000);
    await tell(sims, 'interim', { up: 1400 });
    expect(await ask(sims.imsi(0))).toBe('accepted');
    test.clock.advance(1000);
    await tell(sims, 'interim', { up: 1500 });
    await expect.poll(() => ask(sims.imsi(0)), soon).toBe('Data quota used up');
  });
});
