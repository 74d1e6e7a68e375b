import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  AttributeWriter,
  attribute,
  decodePacket,
  encodeResponse,
  errorCause,
  type RadiusPacket,
  radiusCode,
  readAttribute,
  verifyRequest,
} from '@simcube/radius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';
import { testDatabase } from '../../testing/database.ts';
import {
  account,
  attributesOf,
  radiusInventory,
  radiusKey,
  radiusSecret,
  type TestRadius,
  type TestSims,
  testRadius,
  type Values,
} from '../../testing/radius.ts';
import { controlSessions } from './control/control.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const secret = Buffer.from(radiusSecret);

let database: Database;
let server: TestRadius;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  await radiusInventory(database, 1);
  server = await testRadius(database, clock);
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

const ask = async (values: Values): Promise<RadiusPacket> => {
  const reply = await server.auth.send({ code: radiusCode.accessRequest, attributes: attributesOf(values) });
  if (!reply.ok) throw new Error(reply.reason);
  return reply.packet;
};

const set = (sims: TestSims, what: string, values: unknown[] = []) =>
  database.pool.query(`update ${what} = $1`, [sims.ids[0], ...values]);

describe('access', () => {
  it('is given to an active SIM, with its address and the interval', async () => {
    const sims = await radiusInventory(database, 1);
    await set(sims, `sims set fixed_ip = '10.64.3.4', apn = 'iot.example' where id`);
    const packet = await ask({ imsi: sims.imsi(0), calledStationId: 'IoT.example.mnc007.mcc214.gprs' });
    expect(packet.code).toBe(radiusCode.accessAccept);
    expect(packet.hasMessageAuthenticator).toBe(true);
    expect(readAttribute(packet, attribute.framedIpAddress)).toBe('10.64.3.4');
    expect(readAttribute(packet, attribute.acctInterimInterval)).toBe(300);
    expect(readAttribute(packet, attribute.class)?.toString()).toBe(`imsi:${sims.imsi(0)}`);
    expect(readAttribute(packet, attribute.sessionTimeout)).toBeUndefined();
    expect(readAttribute(packet, attribute.wisprBandwidthMaxDown)).toBeUndefined();
    await expect
      .poll(
        async () =>
          (await database.pool.query('select connection from sim_live where sim_id = $1', [sims.ids[0]]))
            .rows,
      )
      .toEqual([{ connection: 2 }]);
  });

  it('carries the rate of a SIM that is slowed, and none once its cycle has ended', async () => {
    const sims = await radiusInventory(database, 1);
    await set(
      sims,
      `sim_live set data_state = 1, rate_kbps = 128, cycle_ends_at = '2026-12-01' where sim_id`,
    );
    const slow = await ask({ userName: sims.imsi(0) });
    expect(readAttribute(slow, attribute.wisprBandwidthMaxDown)).toBe(128_000);
    expect(readAttribute(slow, attribute.wisprBandwidthMaxUp)).toBe(128_000);
    await set(sims, `sim_live set cycle_ends_at = '2026-11-20' where sim_id`);
    expect(
      readAttribute(await ask({ userName: sims.imsi(0) }), attribute.wisprBandwidthMaxDown),
    ).toBeUndefined();
  });

  it.each([
    [`sims set lifecycle = 10 where id`, 'SIM not activated'],
    [`sims set lifecycle = 30 where id`, 'SIM paused'],
    [`sims set lifecycle = 40 where id`, 'SIM expired'],
    [`sims set lifecycle = 50 where id`, 'SIM terminated'],
    [`sim_live set data_state = 2, cycle_ends_at = '2026-12-01' where sim_id`, 'Data quota used up'],
    [`sims set apn = 'iot.other' where id`, 'APN not allowed for this SIM'],
  ])('is refused with the reason: %s', async (what, message) => {
    const sims = await radiusInventory(database, 1);
    await set(sims, what);
    const packet = await ask({ imsi: sims.imsi(0), calledStationId: 'iot.example' });
    expect(packet.code).toBe(radiusCode.accessReject);
    expect(readAttribute(packet, attribute.replyMessage)).toBe(message);
    await expect
      .poll(
        async () =>
          (await database.pool.query('select 1 from radius_rejects where sim_id = $1', [sims.ids[0]]))
            .rowCount,
      )
      .toBe(1);
  });

  it('that is refused is an event of the SIM when it begins, and again after it was given', async () => {
    const sims = await radiusInventory(database, 1);
    const [simId] = sims.ids;
    const events = async () =>
      (
        await database.pool.query(
          `select facts from sim_events where sim_id = $1 and kind = 'rejected' order by id`,
          [simId],
        )
      ).rows.map((row) => row.facts);
    const rejects = async () =>
      (await database.pool.query('select 1 from radius_rejects where sim_id = $1', [simId])).rowCount;
    const request = { imsi: sims.imsi(0), calledStationId: 'iot.example', sgsnMccMnc: '26202' };
    const asPaused = { reason: 'paused', apn: 'iot.example', plmn: '262-02' };
    await set(sims, 'sims set lifecycle = 30 where id');
    for (let times = 0; times < 5; times += 1) await ask(request);
    await expect.poll(rejects).toBe(5);
    await expect.poll(events).toEqual([asPaused]);

    await set(sims, 'sims set lifecycle = 23 where id');
    expect((await ask(request)).code).toBe(radiusCode.accessAccept);
    await set(sims, 'sims set lifecycle = 30 where id');
    await ask(request);
    await expect.poll(events).toEqual([asPaused, asPaused]);
  });

  it('is refused to who is not known or does not say who', async () => {
    expect(readAttribute(await ask({ imsi: '901019999999999' }), attribute.replyMessage)).toBe(
      'SIM not known',
    );
    const nobody = await ask({ nasIdentifier: 'pgw-1' });
    expect(readAttribute(nobody, attribute.replyMessage)).toBe('No IMSI, user name or calling station');
  });
});

/** A gateway's CoA port that answers as it is told to. */
const openGateway = async (
  answer: (packet: RadiusPacket) => { code: 41 | 42 | 44 | 45; cause?: number } | undefined,
) => {
  const socket: Socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const received: RadiusPacket[] = [];
  socket.on('message', (datagram, from) => {
    const decoded = decodePacket(Buffer.from(datagram));
    if (!decoded.ok || verifyRequest({ packet: decoded.packet, secret })) return;
    received.push(decoded.packet);
    const said = answer(decoded.packet);
    if (!said) return;
    const attributes = new AttributeWriter().addIfKnown(attribute.errorCause, said.cause);
    socket.send(
      encodeResponse({ code: said.code, request: decoded.packet, secret, attributes }),
      from.port,
      from.address,
    );
  });
  return { port: socket.address().port, received, close: () => socket.close() };
};

describe('the gateway of an open session', () => {
  const options = () => ({ pool: database.pool, vault: vaultOf(radiusKey), clock });
  const open = async (coaPort: number): Promise<TestSims> => {
    const sims = await radiusInventory(database, 1, { coaPort });
    await account(server.acct, 'start', {
      imsi: sims.imsi(0),
      session: `S${sims.orgId}`,
      at: clock.now(),
      ip: '10.1.2.3',
    });
    return sims;
  };
  const facts = async (sims: TestSims, kind: string) =>
    (
      await database.pool.query('select facts from sim_events where org_id = $1 and kind = $2', [
        sims.orgId,
        kind,
      ])
    ).rows.map((row) => row.facts);

  it('is told to end it, and its answer is an event of the SIM', async () => {
    const gateway = await openGateway(() => ({ code: radiusCode.disconnectAck }));
    const sims = await open(gateway.port);
    const [simId = 0] = sims.ids;
    await controlSessions(options(), { action: 'disconnect', simId, reason: 'paused' });
    gateway.close();
    const [packet] = gateway.received;
    expect(packet?.code).toBe(radiusCode.disconnectRequest);
    expect(packet && readAttribute(packet, attribute.acctSessionId)).toBe(`S${sims.orgId}`);
    expect(packet && readAttribute(packet, attribute.imsi)).toBe(sims.imsi(0));
    expect(await facts(sims, 'network-disconnect')).toMatchObject([{ result: 'ack', reason: 'paused' }]);
  });

  it('is told a rate', async () => {
    const gateway = await openGateway(() => ({ code: radiusCode.coaAck }));
    const sims = await open(gateway.port);
    const [simId = 0] = sims.ids;
    await controlSessions(options(), { action: 'rate', simId, rateKbps: 256, reason: 'quota-used' });
    gateway.close();
    const [packet] = gateway.received;
    expect(packet && readAttribute(packet, attribute.wisprBandwidthMaxDown)).toBe(256_000);
    expect(await facts(sims, 'network-coa')).toMatchObject([{ result: 'ack', rate_kbps: 256 }]);
  });

  it('may not have it any more: then it is closed here, too', async () => {
    const gateway = await openGateway(() => ({
      code: radiusCode.disconnectNak,
      cause: errorCause.sessionContextNotFound,
    }));
    const sims = await open(gateway.port);
    const [simId = 0] = sims.ids;
    await controlSessions(options(), { action: 'disconnect', simId, reason: 'paused' });
    gateway.close();
    expect(await facts(sims, 'network-disconnect')).toMatchObject([{ result: 'nak', error_cause: 503 }]);
    const { rows } = await database.pool.query(
      'select terminate_cause from radius_sessions where sim_id = $1',
      [simId],
    );
    expect(rows).toEqual([{ terminate_cause: 'Lost-Service' }]);
  });

  it('is asked again when it stays silent', async () => {
    let asked = 0;
    const gateway = await openGateway(() => {
      asked += 1;
      return asked < 2 ? undefined : { code: radiusCode.disconnectAck };
    });
    const sims = await open(gateway.port);
    const [simId = 0] = sims.ids;
    const outcomes = await controlSessions(options(), { action: 'disconnect', simId, reason: 'paused' });
    gateway.close();
    expect(outcomes).toMatchObject([{ result: 'ack' }]);
    expect(gateway.received.map((packet) => packet.identifier)).toEqual([
      gateway.received[0]?.identifier,
      gateway.received[0]?.identifier,
    ]);
  });
});
