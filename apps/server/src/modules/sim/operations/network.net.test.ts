import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { endpoints } from '@simcube/contract';
import { attribute, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import { signedInAs, type TestClient } from '../../../testing/app.ts';
import { testNetwork, untilOneSucceeds, withinTwoSeconds } from '../../../testing/network.ts';
import {
  attributesOf,
  radiusInventory,
  radiusSecret,
  sendAccounting,
  type TestSims,
} from '../../../testing/radius.ts';
import { startWork } from '../../task/index.ts';
import { simItems } from '../ordering/sim-items.ts';

const { sim } = endpoints;
const soon = { interval: 20 };

const { test, gateway, server, close } = await testNetwork();
afterAll(close);

/** An organisation with its own operator and SIMs, each with a session. */
const online = async (count: number): Promise<{ sims: TestSims; operator: TestClient }> => {
  const sims = await radiusInventory(test.database, count, { coaPort: gateway.port });
  const { rows } = await test.database.pool.query(
    `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
    [sims.orgId],
  );
  for (const index of sims.ids.keys()) {
    await sendAccounting(server.acct, 'start', {
      imsi: sims.imsi(index),
      session: `S${sims.orgId}-${index}`,
      at: test.clock.now(),
      ip: `10.${sims.orgId % 200}.1.${index + 1}`,
    });
  }
  return { sims, operator: await signedInAs(test, 'operator', rows[0]) };
};
const ask = async (imsi: string) => {
  const reply = await server.auth.send({
    code: radiusCode.accessRequest,
    attributes: attributesOf({ imsi, calledStationId: 'iot.example' }),
  });
  if (!reply.ok) throw new Error(reply.reason);
  return { code: reply.packet.code, message: readAttribute(reply.packet, attribute.replyMessage) };
};
const disconnected = (sims: TestSims) =>
  gateway.received
    .filter(({ code }) => code === radiusCode.disconnectRequest)
    .map((packet) => readAttribute(packet, attribute.acctSessionId))
    .filter((session) => session?.startsWith(`S${sims.orgId}-`));
const sessionsOf = async (sims: TestSims) =>
  (
    await test.database.pool.query(
      `select r.terminate_cause as cause, r.stopped_at is not null as over, l.connection
       from radius_sessions r join sim_live l on l.sim_id = r.sim_id where l.org_id = $1`,
      [sims.orgId],
    )
  ).rows;
const iccids = (sims: TestSims) => sims.ids.map((_, index) => sims.iccid(index));

/** The work that a rule orders on behalf of its owner. */
const hold = async (sims: TestSims, type: 'sim-data-off' | 'sim-slow-down', parameters: unknown = {}) => {
  const { rows } = await test.database.pool.query('select user_id from memberships where org_id = $1', [
    sims.orgId,
  ]);
  await inTransaction(test.database.pool, (tx) =>
    startWork(tx, {
      orgId: sims.orgId,
      userId: rows[0].user_id,
      type,
      parameters,
      remark: null,
      at: test.clock.now(),
      actor: { kind: 'system', id: null, name: 'Rule', address: null, traceId: null, action: undefined },
      kind: simItems,
      access: null,
      items: sims.ids.map((ref, index) => ({ ref, label: sims.iccid(index) })),
    }),
  );
};

describe('a SIM whose data is turned off', () => {
  it(
    'is disconnected within two seconds, and rejected until it is resumed or its cycle ends',
    untilOneSucceeds,
    async () => {
      const { sims, operator } = await online(2);
      const imsi = sims.imsi(0);
      await hold(sims, 'sim-data-off');
      await expect.poll(() => disconnected(sims).length, withinTwoSeconds).toBe(2);
      expect(await ask(imsi)).toEqual({ code: radiusCode.accessReject, message: 'Data turned off' });
      const selection = { iccids: [sims.iccid(0)] };
      await operator.call(sim.resume, { body: { selection, preview: false } });
      await expect.poll(async () => (await ask(imsi)).code, soon).toBe(radiusCode.accessAccept);
      await test.database.pool.query(`update sim_live set held_until = $2 where sim_id = $1`, [
        sims.ids[1],
        test.clock.now(),
      ]);
      expect((await ask(sims.imsi(1))).code).toBe(radiusCode.accessAccept);
    },
  );

  it('gets a lower rate where it is slowed down only', async () => {
    const { sims } = await online(1);
    await hold(sims, 'sim-slow-down', { rate_kbps: 128 });
    const rates = () =>
      test.database.pool
        .query('select network_rate_kbps from sim_live where sim_id = $1', [sims.ids[0]])
        .then(({ rows }) => rows[0].network_rate_kbps);
    await expect.poll(rates, soon).toBe(128);
    expect((await ask(sims.imsi(0))).code).toBe(radiusCode.accessAccept);
  });
});

describe('a SIM that is suspended', () => {
  it('is disconnected within two seconds, and rejected until it is resumed', untilOneSucceeds, async () => {
    const { sims, operator } = await online(3);
    const imsi = sims.imsi(0);
    expect((await ask(imsi)).code).toBe(radiusCode.accessAccept);
    const selection = { iccids: iccids(sims) };
    const { http } = await operator.call(sim.suspend, { body: { selection, preview: false } });
    expect(http).toBe(200);
    await expect.poll(() => disconnected(sims).length, withinTwoSeconds).toBe(3);
    expect(await ask(imsi)).toEqual({ code: radiusCode.accessReject, message: 'SIM paused' });
    await operator.call(sim.resume, { body: { selection, preview: false } });
    await expect.poll(async () => (await ask(imsi)).code, soon).toBe(radiusCode.accessAccept);
  });

  it('is disconnected again when an already accepted session begins or continues', async () => {
    const { sims, operator } = await online(1);
    const selection = { iccids: iccids(sims) };
    await operator.call(sim.suspend, { body: { selection, preview: false } });
    await expect.poll(() => disconnected(sims).length, soon).toBe(1);
    const accepted = { imsi: sims.imsi(0), session: `S${sims.orgId}-late`, at: test.clock.now() };
    await sendAccounting(server.acct, 'start', accepted);
    await expect.poll(() => disconnected(sims), soon).toContain(accepted.session);
    const before = disconnected(sims).length;
    const later = new Date(test.clock.now().getTime() + 1000);
    await sendAccounting(server.acct, 'interim', { ...accepted, at: later, up: 10 });
    await expect.poll(() => disconnected(sims).slice(before), soon).toContain(accepted.session);
  });

  it.runIf(existsSync('/usr/bin/radclient'))('is refused to radclient as well', async () => {
    const { sims, operator } = await online(1);
    const radclient = async () => {
      const child = spawn('radclient', [
        '-x',
        '-r',
        '1',
        `127.0.0.1:${server.authPort}`,
        'auth',
        radiusSecret,
      ]);
      child.stdin.end(
        `User-Name = "${sims.imsi(0)}", Message-Authenticator = 0x00, NAS-Identifier = "pgw-1"\n`,
      );
      return text(child.stdout);
    };
    expect(await radclient()).toContain('Access-Accept');
    await operator.call(sim.suspend, { body: { selection: { iccids: iccids(sims) }, preview: false } });
    await expect.poll(radclient, soon).toContain('Access-Reject');
  });
});

describe('a SIM that is terminated', () => {
  it('is disconnected within two seconds, and rejected permanently', untilOneSucceeds, async () => {
    const { sims } = await online(2);
    const { rows } = await test.database.pool.query(
      `select id, code, tenant_id as "tenantId" from organisations where id = $1`,
      [sims.orgId],
    );
    const admin = await signedInAs(test, 'admin', rows[0]);
    const selection = { iccids: iccids(sims) };
    expect((await admin.call(sim.terminate, { body: { selection, preview: false } })).http).toBe(200);
    await expect.poll(() => disconnected(sims).length, withinTwoSeconds).toBe(2);
    expect(await ask(sims.imsi(0))).toEqual({ code: radiusCode.accessReject, message: 'SIM terminated' });
  });
});

describe('a SIM that is reset', () => {
  it('loses its session here and at the gateway, and connects again', async () => {
    const { sims, operator } = await online(2);
    await operator.call(sim.reset, { body: { selection: { iccids: iccids(sims) }, preview: false } });
    await expect.poll(() => disconnected(sims).length, soon).toBe(2);
    const closed = { cause: 'Admin-Reset', over: true, connection: 3 };
    await expect.poll(() => sessionsOf(sims), soon).toEqual([closed, closed]);
    expect((await ask(sims.imsi(0))).code).toBe(radiusCode.accessAccept);
    await sendAccounting(server.acct, 'start', {
      imsi: sims.imsi(0),
      session: `S${sims.orgId}-new`,
      at: test.clock.now(),
      ip: '10.201.1.1',
    });
    expect(await sessionsOf(sims)).toContainEqual({ cause: null, over: false, connection: 1 });
  });

  it('keeps the usage of its device', async () => {
    const { sims, operator } = await online(1);
    const packet = { imsi: sims.imsi(0), session: `S${sims.orgId}-0`, ip: `10.${sims.orgId % 200}.1.1` };
    await operator.call(sim.reset, { body: { selection: { iccids: iccids(sims) }, preview: false } });
    await expect.poll(() => disconnected(sims).length, soon).toBe(1);
    await sendAccounting(server.acct, 'stop', { ...packet, at: test.clock.now(), up: 700, down: 300 });
    const { rows } = await test.database.pool.query('select used_bytes from sim_live where org_id = $1', [
      sims.orgId,
    ]);
    expect(rows).toEqual([{ used_bytes: 1000 }]);
    expect(await sessionsOf(sims)).toEqual([{ cause: 'Admin-Reset', over: true, connection: 3 }]);
  });
});
