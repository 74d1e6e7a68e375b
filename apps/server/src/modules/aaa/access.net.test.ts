import { AttributeWriter, attribute, type RadiusPacket, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import {
  attributesOf,
  radiusInventory,
  sendAccounting,
  type TestRadius,
  type TestSims,
  testRadius,
  type Values,
} from '../../testing/radius.ts';
import { mixedRates } from './aaa.rules.ts';
import { findDue } from './control/sessions.views.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');

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

const requestAccess = async (values: Values): Promise<RadiusPacket> => {
  const reply = await server.auth.send({ code: radiusCode.accessRequest, attributes: attributesOf(values) });
  if (!reply.ok) throw new Error(reply.reason);
  return reply.packet;
};

const set = (sims: TestSims, what: string, values: unknown[] = []) =>
  database.pool.query(`update ${what} = $1`, [sims.ids[0], ...values]);

describe('network access', () => {
  it('is granted to an active SIM, with its address and the interim interval', async () => {
    const sims = await radiusInventory(database, 1);
    await set(sims, `sims set fixed_ip = '10.64.3.4', apn = 'iot.example' where id`);
    const packet = await requestAccess({
      imsi: sims.imsi(0),
      calledStationId: 'IoT.example.mnc007.mcc214.gprs',
    });
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

  it.each([
    ['2001:db8:0:7:200::2a', '020000000000002a'],
    ['2001:db8:0:7::', undefined],
  ])(
    'gives a static IPv6 address as its prefix and interface identifier, which accounting repeats: %s',
    async (ip, interfaceId) => {
      const sims = await radiusInventory(database, 1);
      await set(sims, `sims set fixed_ip = '${ip}' where id`);
      const packet = await requestAccess({ imsi: sims.imsi(0) });
      const framedIpv6Prefix = readAttribute(packet, attribute.framedIpv6Prefix) ?? '';
      const framedInterfaceId = readAttribute(packet, attribute.framedInterfaceId);
      expect(framedIpv6Prefix).toBe('2001:db8:0:7::/64');
      expect(framedInterfaceId && Buffer.from(framedInterfaceId).toString('hex')).toBe(interfaceId);
      expect(readAttribute(packet, attribute.framedIpv6Address)).toBeUndefined();
      await sendAccounting(server.acct, 'start', {
        imsi: sims.imsi(0),
        session: `V${sims.orgId}`,
        at: clock.now(),
        ip: '0.0.0.0',
        more: { framedIpv6Prefix, ...(framedInterfaceId && { framedInterfaceId }) },
      });
      const { rows } = await database.pool.query(
        'select host(ip) as ip from radius_sessions where sim_id = $1',
        [sims.ids[0]],
      );
      expect(rows).toEqual([{ ip }]);
    },
  );

  it('finds the SIM as accounting does: an IMSI as packed digits, and by its user name where the IMSI is none, else its number', async () => {
    const sims = await radiusInventory(database, 1);
    const imsi = sims.imsi(0);
    const packed = Buffer.from(`${imsi}f`.replace(/(.)(.)/g, '$2$1'), 'hex');
    const octets = Buffer.concat([
      Buffer.from([26, 6 + 2 + packed.length, 0, 0, 0x28, 0xaf, 1, 2 + packed.length]),
      packed,
    ]);
    const send = async (attributes: AttributeWriter) => {
      const reply = await server.auth.send({ code: radiusCode.accessRequest, attributes });
      if (!reply.ok) throw new Error(reply.reason);
      return reply.packet.code;
    };
    expect(await send(new AttributeWriter().addEncoded(octets))).toBe(radiusCode.accessAccept);
    expect((await requestAccess({ imsi: 'unknown', userName: imsi })).code).toBe(radiusCode.accessAccept);
    const { rows } = await database.pool.query('select msisdn from sims where id = $1', [sims.ids[0]]);
    const byNumber = await requestAccess({ userName: '100200', callingStationId: rows[0]?.msisdn });
    expect(byNumber.code).toBe(radiusCode.accessAccept);
    expect(readAttribute(byNumber, attribute.class)?.toString()).toBe(`imsi:${imsi}`);
  });

  it('includes the rate limit of a slowed SIM, and none once its cycle has ended', async () => {
    const sims = await radiusInventory(database, 1);
    await set(
      sims,
      `sim_live set data_state = 1, rate_kbps = 128, cycle_ends_at = '2026-12-01' where sim_id`,
    );
    const slow = await requestAccess({ userName: sims.imsi(0) });
    expect(readAttribute(slow, attribute.wisprBandwidthMaxDown)).toBe(128_000);
    expect(readAttribute(slow, attribute.wisprBandwidthMaxUp)).toBe(128_000);
    await set(sims, `sim_live set cycle_ends_at = '2026-11-20' where sim_id`);
    expect(
      readAttribute(await requestAccess({ userName: sims.imsi(0) }), attribute.wisprBandwidthMaxDown),
    ).toBeUndefined();
  });

  it.each([
    ['reporting', 1],
    ['silent', 2],
  ])(
    'with a rate limit makes the same limit due for sessions that are already open (%s)',
    async (_, connection) => {
      const sims = await radiusInventory(database, 1);
      const packet = { imsi: sims.imsi(0), session: `S${sims.orgId}`, at: clock.now(), ip: '10.64.3.9' };
      await sendAccounting(server.acct, 'start', packet);
      const due = async () =>
        (await findDue(database.pool, sims.ids, clock.now())).map(({ enforcement }) => enforcement);
      expect(await due()).toEqual([]);
      await set(
        sims,
        `sim_live set data_state = 1, rate_kbps = 128, cycle_ends_at = '2026-12-01', connection = ${connection} where sim_id`,
      );
      await requestAccess({ imsi: sims.imsi(0) });
      const rate = () =>
        database.pool
          .query('select network_rate_kbps as rate from sim_live where sim_id = $1', [sims.ids[0]])
          .then(({ rows }) => rows[0].rate);
      await expect.poll(rate).toBe(mixedRates);
      expect(await due()).toEqual([{ action: 'rate', rateKbps: 128 }]);
    },
  );

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
    const packet = await requestAccess({ imsi: sims.imsi(0), calledStationId: 'iot.example' });
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

  it('is recorded as an event of the SIM at its first rejection, and again after access was granted', async () => {
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
    for (let times = 0; times < 5; times += 1) await requestAccess(request);
    await expect.poll(rejects).toBe(5);
    await expect.poll(events).toEqual([asPaused]);

    await set(sims, 'sims set lifecycle = 23 where id');
    expect((await requestAccess(request)).code).toBe(radiusCode.accessAccept);
    await set(sims, 'sims set lifecycle = 30 where id');
    await requestAccess(request);
    await expect.poll(events).toEqual([asPaused, asPaused]);
  });

  it('is refused to unknown SIMs and without an identity', async () => {
    expect(readAttribute(await requestAccess({ imsi: '901019999999999' }), attribute.replyMessage)).toBe(
      'SIM not known',
    );
    const nobody = await requestAccess({ nasIdentifier: 'pgw-1' });
    expect(readAttribute(nobody, attribute.replyMessage)).toBe('No IMSI, user name or calling station');
  });
});
