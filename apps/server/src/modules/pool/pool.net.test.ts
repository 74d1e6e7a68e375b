import { endpoints } from '@simcube/contract';
import { attribute, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, describe, expect, it } from 'vitest';
import { signedInAs } from '../../testing/app.ts';
import { testNetwork } from '../../testing/network.ts';
import { expectPoolsVerified, makePool, orderShared } from '../../testing/pools.ts';
import { account, attributesOf, radiusInventory, type TestSims } from '../../testing/radius.ts';

const soon = { timeout: 2_000, interval: 20 };

const { test, gateway, server, close } = await testNetwork();
afterAll(close);

const now = () => test.clock.now();

/** An organisation with a pool of SIMs that contribute 1,000 octets each, and are online. */
const online = async (count: number, more: { policy?: 'no limit' } = {}) => {
  const { pool } = test.database;
  const sims = await radiusInventory(test.database, count, { coaPort: gateway.port });
  const shared = await makePool(pool, sims.orgId, { now: now(), ...more });
  await orderShared(
    pool,
    shared,
    sims.ids.map((_, index) => sims.iccid(index)),
    now(),
  );
  await shared.enrol(sims.ids, now());
  test.clock.advance(60_000);
  for (const index of sims.ids.keys()) await tell(sims, index, 'start');
  const { rows } = await pool.query(
    `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
    [sims.orgId],
  );
  return { sims, shared, admin: await signedInAs(test, 'admin', rows[0]) };
};
const tell = (sims: TestSims, index: number, status: 'start' | 'interim' | 'stop', up = 0) =>
  account(server.acct, status, {
    imsi: sims.imsi(index),
    session: `P${sims.orgId}-${index}`,
    at: now(),
    ip: `10.${sims.orgId % 200}.2.${index + 1}`,
    up,
  });
const ask = async (imsi: string) => {
  const reply = await server.auth.send({
    code: radiusCode.accessRequest,
    attributes: attributesOf({ imsi, calledStationId: 'iot.example' }),
  });
  if (!reply.ok) throw new Error(reply.reason);
  return reply.packet.code === radiusCode.accessAccept
    ? 'accepted'
    : readAttribute(reply.packet, attribute.replyMessage);
};
const disconnected = (sims: TestSims) => {
  const sessions = gateway.received
    .filter(({ code }) => code === radiusCode.disconnectRequest)
    .map((packet) => readAttribute(packet, attribute.acctSessionId));
  return [...new Set(sessions.filter((session) => session?.startsWith(`P${sims.orgId}-`)))].sort();
};
const kinds = async (poolId: number) =>
  (
    await test.database.pool.query<{ kind: string; sims: number }>(
      'select kind, sims from pool_events where pool_id = $1 order by id',
      [poolId],
    )
  ).rows.map(({ kind, sims }) => `${kind} ${sims}`);

describe('a pool that is used up', () => {
  it('stops the members beyond their own contribution within two seconds, and lets them go on when it is raised', async () => {
    const { sims, shared, admin } = await online(3);
    await tell(sims, 0, 'interim', 1500);
    await tell(sims, 1, 'interim', 900);
    expect(await ask(sims.imsi(0))).toBe('accepted');
    expect(disconnected(sims)).toEqual([]);
    await tell(sims, 1, 'interim', 1600);
    await expect.poll(() => disconnected(sims), soon).toEqual([`P${sims.orgId}-0`, `P${sims.orgId}-1`]);
    expect(await ask(sims.imsi(0))).toBe('Shared pool used up');
    expect(await ask(sims.imsi(2))).toBe('accepted');

    // One that stayed within its contribution goes on to its end, and no further.
    await tell(sims, 2, 'interim', 1000);
    expect(await ask(sims.imsi(2))).toBe('accepted');
    await tell(sims, 2, 'interim', 1001);
    await expect.poll(() => disconnected(sims).length, soon).toBe(3);
    expect(await ask(sims.imsi(2))).toBe('Shared pool used up');

    await shared.raise(5000, now());
    await expect.poll(() => ask(sims.imsi(0)), soon).toBe('accepted');
    for (const index of [1, 2]) expect(await ask(sims.imsi(index))).toBe('accepted');
    expect(await kinds(shared.id)).toEqual([
      'pool setup 0',
      'SIM enrollment 3',
      'pool overage 2',
      'pool limit increase 0',
      'overage recovery 3',
    ]);
    const params = { poolId: String(shared.id) };
    const { body } = await admin.call(endpoints.pool.detail, { params });
    expect(body.data).toMatchObject({ used_bytes: 4101, limit_bytes: 8000, over: false, stopped_sims: 0 });
    await expectPoolsVerified(test.database.pool, now());
  });

  it('disconnects a session that was accepted just before, when it is heard of', async () => {
    const { sims } = await online(2);
    await tell(sims, 0, 'interim', 3000);
    await expect.poll(() => disconnected(sims), soon).toEqual([`P${sims.orgId}-0`]);
    await tell(sims, 0, 'stop', 3000);
    gateway.received.length = 0;
    await account(server.acct, 'start', {
      imsi: sims.imsi(0),
      session: `P${sims.orgId}-late`,
      at: now(),
      ip: `10.${sims.orgId % 200}.2.77`,
    });
    await expect.poll(() => disconnected(sims), soon).toEqual([`P${sims.orgId}-late`]);
  });

  it('stops nobody under "no limit", and says that it is over', async () => {
    const { sims, shared } = await online(2, { policy: 'no limit' });
    await tell(sims, 0, 'interim', 5000);
    await expect.poll(() => kinds(shared.id), soon).toContain('pool overage 0');
    expect(await ask(sims.imsi(0))).toBe('accepted');
    expect(disconnected(sims)).toEqual([]);
  });

  it('lets everybody go on when its cycle turns', async () => {
    const { sims } = await online(1);
    await tell(sims, 0, 'interim', 3000);
    await expect.poll(() => ask(sims.imsi(0)), soon).toBe('Shared pool used up');
    test.clock.set('2026-12-01T00:00:00Z');
    expect(await ask(sims.imsi(0))).toBe('accepted');
  });
});
