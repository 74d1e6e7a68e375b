import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { endpoints } from '@simcube/contract';
import { attribute, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, describe, expect, it } from 'vitest';
import { signedInAs } from '../../testing/app.ts';
import { testNetwork, untilOneSucceeds, withinTwoSeconds } from '../../testing/network.ts';
import { expectPoolsVerified, makePool, orderShared } from '../../testing/pools.ts';
import {
  attributesOf,
  radiusInventory,
  radiusSecret,
  sendAccounting,
  type TestSims,
} from '../../testing/radius.ts';

const soon = { interval: 20 };

const { test, gateway, server, close } = await testNetwork();
afterAll(close);

const now = () => test.clock.now();

/** An organisation with a pool of online SIMs that contribute 1,000 octets each. */
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
  sendAccounting(server.acct, status, {
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
  it(
    'stops the members beyond their own contribution within two seconds, and lets them go on when it is raised',
    untilOneSucceeds,
    async () => {
      const { sims, shared, admin } = await online(3);
      await tell(sims, 0, 'interim', 1500);
      await tell(sims, 1, 'interim', 900);
      expect(await ask(sims.imsi(0))).toBe('accepted');
      expect(disconnected(sims)).toEqual([]);
      await tell(sims, 1, 'interim', 1600);
      await expect
        .poll(() => disconnected(sims), withinTwoSeconds)
        .toEqual([`P${sims.orgId}-0`, `P${sims.orgId}-1`]);
      expect(await ask(sims.imsi(0))).toBe('Shared pool used up');
      expect(await ask(sims.imsi(2))).toBe('accepted');

      // A SIM that stayed within its contribution continues until it is used up, and no further.
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
    },
  );

  it('disconnects a session that was accepted just before, at its first accounting record', async () => {
    const { sims } = await online(2);
    await tell(sims, 0, 'interim', 3000);
    await expect.poll(() => disconnected(sims), soon).toEqual([`P${sims.orgId}-0`]);
    await tell(sims, 0, 'stop', 3000);
    gateway.received.length = 0;
    await sendAccounting(server.acct, 'start', {
      imsi: sims.imsi(0),
      session: `P${sims.orgId}-late`,
      at: now(),
      ip: `10.${sims.orgId % 200}.2.77`,
    });
    await expect.poll(() => disconnected(sims), soon).toEqual([`P${sims.orgId}-late`]);
  });

  it('stops nobody under "no limit", and reports that it is over its limit', async () => {
    const { sims, shared } = await online(2, { policy: 'no limit' });
    await tell(sims, 0, 'interim', 5000);
    await expect.poll(() => kinds(shared.id), soon).toContain('pool overage 0');
    expect(await ask(sims.imsi(0))).toBe('accepted');
    expect(disconnected(sims)).toEqual([]);
  });

  it('releases all members at the start of the next cycle', async () => {
    const { sims } = await online(1);
    await tell(sims, 0, 'interim', 3000);
    await expect.poll(() => ask(sims.imsi(0)), soon).toBe('Shared pool used up');
    test.clock.set('2026-12-01T00:00:00Z');
    expect(await ask(sims.imsi(0))).toBe('accepted');
  });
});

/** Sends packets with radclient, and returns how many it saw accepted and rejected. */
const radclient = async (kind: 'auth' | 'acct', packets: readonly Record<string, string | number>[]) => {
  const port = kind === 'auth' ? server.authPort : server.acctPort;
  const child = spawn('radclient', [
    '-q',
    '-s',
    '-p',
    '64',
    '-t',
    '10',
    `127.0.0.1:${port}`,
    kind,
    radiusSecret,
  ]);
  child.stdin.end(packets.map((packet) => `${lineOf(packet)}\n\n`).join(''));
  const summary = await text(child.stdout);
  const count = (name: string) => Number(new RegExp(`${name}\\s*: (\\d+)`).exec(summary)?.[1]);
  return { accepted: count('Accepted'), rejected: count('Rejected'), lost: count('Lost') };
};
const lineOf = (packet: Record<string, string | number>): string =>
  Object.entries(packet)
    .map(([name, value]) => `${name} = ${typeof value === 'number' ? value : `"${value}"`}`)
    .join(', ');

describe.runIf(existsSync('/usr/bin/radclient'))('a pool of 1,000 SIMs, driven by radclient', () => {
  it('is over its limit with the record that reaches it, and back when it is raised; a late record counts where it belongs', async () => {
    const { pool } = test.database;
    const sims = await radiusInventory(test.database, 1000, { coaPort: gateway.port });
    const shared = await makePool(pool, sims.orgId, { now: now() });
    const iccids = sims.ids.map((_, index) => sims.iccid(index));
    await orderShared(pool, shared, iccids, now());
    await shared.enrol(sims.ids, now());
    test.clock.advance(60_000);
    const report = (indexes: readonly number[], status: string, used = 0, ageS = 0) =>
      radclient(
        'acct',
        indexes.map((index) => ({
          'Acct-Status-Type': status,
          'Acct-Session-Id': `P${sims.orgId}-${index}`,
          'User-Name': sims.imsi(index),
          'NAS-Identifier': 'pgw-1',
          'Called-Station-Id': 'iot.example',
          'Framed-IP-Address': `10.9.${index >> 8}.${index & 255}`,
          'Event-Timestamp': Math.floor(now().getTime() / 1000) - ageS,
          'Acct-Input-Octets': used,
        })),
      );
    const ask = () =>
      radclient(
        'auth',
        sims.ids.map((_, index) => ({
          'User-Name': sims.imsi(index),
          'Message-Authenticator': '0x00',
          'NAS-Identifier': 'pgw-1',
        })),
      );
    const all = Array.from(sims.ids.keys());
    const [heavy, more, light] = [all.slice(0, 500), all.slice(500, 550), all.slice(500)];
    expect(await report(all, 'Start')).toMatchObject({ lost: 0 });
    await report(heavy, 'Interim-Update', 1500);
    await report(light, 'Interim-Update', 400);
    expect(await ask()).toMatchObject({ accepted: 1000, rejected: 0 });
    await report(more, 'Interim-Update', 1400);
    await expect.poll(() => disconnected(sims).length, { timeout: 60_000 }).toBe(550);
    expect(await ask()).toMatchObject({ accepted: 450, rejected: 550 });
    await report([999], 'Interim-Update', 900, 30);
    await shared.raise(500_000, now());
    await expect.poll(ask).toMatchObject({ accepted: 1000, rejected: 0 });
    const { rows } = await pool.query(
      `select (select sum(used_bytes) from pool_counters where pool_id = $1)::int as counted,
         (select sum(up_bytes + down_bytes) from cdrs where org_id = $2)::int as recorded`,
      [shared.id, sims.orgId],
    );
    expect(rows).toEqual([{ counted: 1_000_500, recorded: 1_000_500 }]);
    await expectPoolsVerified(pool, now());
  });
});
