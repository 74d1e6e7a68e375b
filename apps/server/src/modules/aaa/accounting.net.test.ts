import { dayMs } from '@simcube/contract/time';
import { radiusCode } from '@simcube/radius';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import {
  allCounted,
  attributesOf,
  countedBytes,
  radiusInventory,
  sendAccounting,
  type TestRadius,
  type TestSims,
  testRadius,
} from '../../testing/radius.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const minute = (n: number): Date => new Date(Date.UTC(2026, 10, 21, 11, n));
const GB = 1024 ** 3;

let database: Database;
let server: TestRadius;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  await fresh(1);
  server = await testRadius(database, clock);
});
afterAll(async () => {
  await server.stop();
  await database.close();
});

/** Their gateway reports once an hour: reports on the hour before noon are not late. */
const fresh = (count: number, options = {}): Promise<TestSims> =>
  radiusInventory(database, count, { interimSeconds: 3600, ...options });

const session = async (sims: TestSims, id: string) =>
  (
    await database.pool.query(
      `select r.*, host(r.ip) as ip_text from radius_sessions r where r.acct_session_id = $2 and r.org_id = $1`,
      [sims.orgId, id],
    )
  ).rows;

const live = async (sims: TestSims, index = 0) =>
  (await database.pool.query('select * from sim_live where sim_id = $1', [sims.ids[index]])).rows[0];

const events = async (sims: TestSims) =>
  (
    await database.pool.query('select kind, facts from sim_events where org_id = $1 order by at, id', [
      sims.orgId,
    ])
  ).rows;

describe('accounting', () => {
  it('counts start, interims over 4 GiB and stop in all sums', async () => {
    const sims = await fresh(1);
    const base = { imsi: sims.imsi(0), session: 'A1' };
    expect(await sendAccounting(server.acct, 'start', { ...base, at: minute(0) })).toBe(true);
    expect(await live(sims)).toMatchObject({ connection: 1, plmn: 262_002, radio: 3, ip: '10.64.12.9' });
    expect(
      await sendAccounting(server.acct, 'interim', { ...base, at: minute(5), up: GB, down: 3 * GB }),
    ).toBe(true);
    expect(
      await sendAccounting(server.acct, 'interim', { ...base, at: minute(10), up: 2 * GB, down: 9 * GB + 7 }),
    ).toBe(true);
    expect(
      await sendAccounting(server.acct, 'stop', {
        ...base,
        at: minute(12),
        up: 2 * GB + 1,
        down: 9 * GB + 7,
      }),
    ).toBe(true);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(11 * GB + 8));
    const [row] = await session(sims, 'A1');
    expect(row).toMatchObject({
      up_bytes: 2 * GB + 1,
      down_bytes: 9 * GB + 7,
      started_at: minute(0),
      stopped_at: minute(12),
      cell: '262-02-27447297',
      imei: '356938035643809',
      apn: 'iot.example',
    });
    expect(await live(sims)).toMatchObject({
      connection: 3,
      used_bytes: 11 * GB + 8,
      last_seen_at: minute(12),
    });
    expect((await events(sims)).map(({ kind }) => kind)).toEqual(['session-started', 'session-stopped']);
  });

  it('counts repetitions, replays and reordered records once, also across processes', async () => {
    const sims = await fresh(1);
    const base = { imsi: sims.imsi(0), session: 'B1' };
    const file: Parameters<typeof sendAccounting>[1][] = ['start', 'interim', 'interim', 'stop'];
    const packets = file.map((status, n) => ({
      status,
      packet: { ...base, at: minute(5 * n), up: n * 1000, down: n * 500 },
    }));
    for (const { status, packet } of packets) await sendAccounting(server.acct, status, packet);
    const before = await database.pool.query('select * from cdrs where org_id = $1', [sims.orgId]);
    const other = await testRadius(database, clock);
    for (const { status, packet } of [...packets, ...packets.toReversed()]) {
      expect(await sendAccounting(other.acct, status, packet)).toBe(true);
      expect(await sendAccounting(server.acct, status, packet)).toBe(true);
    }
    await other.stop();
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(4500));
    expect((await database.pool.query('select * from cdrs where org_id = $1', [sims.orgId])).rows).toEqual(
      before.rows,
    );
    expect(await session(sims, 'B1')).toHaveLength(1);
    expect((await events(sims)).map(({ kind }) => kind)).toEqual(['session-started', 'session-stopped']);
  });

  it('creates a session with a lost start from the first update', async () => {
    const sims = await fresh(1);
    const more = { acctSessionTime: 600 };
    await sendAccounting(server.acct, 'interim', {
      imsi: sims.imsi(0),
      session: 'C1',
      at: minute(20),
      up: 5,
      down: 6,
      more,
    });
    expect((await session(sims, 'C1'))[0]).toMatchObject({ started_at: minute(10), updated_at: minute(20) });
    expect(await live(sims)).toMatchObject({ connection: 1 });
    await sendAccounting(server.acct, 'start', { imsi: sims.imsi(0), session: 'C1', at: minute(10) });
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(11));
  });

  it('ignores a lower counter and continues from the highest', async () => {
    const sims = await fresh(1);
    const base = { imsi: sims.imsi(0), session: 'D1' };
    await sendAccounting(server.acct, 'start', { ...base, at: minute(0) });
    await sendAccounting(server.acct, 'interim', { ...base, at: minute(1), up: 1000 });
    await sendAccounting(server.acct, 'interim', { ...base, at: minute(2), up: 400 });
    await sendAccounting(server.acct, 'interim', { ...base, at: minute(3), up: 1500 });
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(1500));
  });

  it('counts a late interim after the stop, and leaves the session closed', async () => {
    const sims = await fresh(1);
    const base = { imsi: sims.imsi(0), session: 'E1' };
    await sendAccounting(server.acct, 'start', { ...base, at: minute(0) });
    await sendAccounting(server.acct, 'stop', { ...base, at: minute(9), up: 10 });
    await sendAccounting(server.acct, 'interim', { ...base, at: minute(8), up: 30 });
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(30));
    expect((await session(sims, 'E1'))[0]).toMatchObject({ stopped_at: minute(9) });
    expect(await live(sims)).toMatchObject({ connection: 3 });
  });

  it('distinguishes a reused session id from a replay of the old session', async () => {
    const sims = await fresh(1);
    const base = { imsi: sims.imsi(0), session: 'F1' };
    const first = [
      ['start', { ...base, at: minute(0) }],
      ['stop', { ...base, at: minute(5), up: 900 }],
    ] as const;
    for (const [status, packet] of first) await sendAccounting(server.acct, status, packet);
    await sendAccounting(server.acct, 'start', { ...base, at: minute(10) });
    await sendAccounting(server.acct, 'interim', { ...base, at: minute(15), up: 100 });
    for (const [status, packet] of first) await sendAccounting(server.acct, status, packet);
    await sendAccounting(server.acct, 'stop', { ...base, at: minute(20), up: 150 });
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(1050));
  });

  it('closes another SIM’s open session at a reassigned address', async () => {
    const sims = await fresh(2);
    await sendAccounting(server.acct, 'start', {
      imsi: sims.imsi(0),
      session: 'G1',
      at: minute(0),
      ip: '10.9.9.9',
    });
    await sendAccounting(server.acct, 'start', {
      imsi: sims.imsi(1),
      session: 'G2',
      at: minute(5),
      ip: '10.9.9.9',
    });
    expect((await session(sims, 'G1'))[0]).toMatchObject({ terminate_cause: 'Superseded' });
    expect(await live(sims, 0)).toMatchObject({ connection: 3 });
    expect(await live(sims, 1)).toMatchObject({ connection: 1 });
    // A later report of the gateway is counted, whatever this process had cached.
    await sendAccounting(server.acct, 'interim', {
      imsi: sims.imsi(0),
      session: 'G1',
      at: minute(6),
      up: 77,
      ip: '10.9.9.9',
    });
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(77));
  });

  it('reports another network and another device', async () => {
    const sims = await fresh(1);
    const base = { imsi: sims.imsi(0), session: 'H1' };
    await sendAccounting(server.acct, 'start', { ...base, at: minute(0) });
    const network = { mcc: '214', mnc: '07' };
    await sendAccounting(server.acct, 'interim', {
      ...base,
      at: minute(5),
      up: 10,
      network,
      imei: '4901542032375101',
    });
    expect((await events(sims)).slice(1)).toEqual([
      { kind: 'network-changed', facts: { from: '262-02', to: '214-07' } },
      { kind: 'imei-changed', facts: { from: '356938035643809', to: '490154203237518' } },
    ]);
    const { rows: facts } = await database.pool.query(
      `select topic, payload->'sims'->0->>'to' as imei, payload->'changes'->0->>'isNew' as "isNew" from outbox
       where org_id = $1 and topic in ('aaa.session-changed', 'aaa.imei-changed') order by id`,
      [sims.orgId],
    );
    // The SIM came online, and then stayed online.
    expect(facts).toEqual([
      { topic: 'aaa.session-changed', imei: null, isNew: 'true' },
      { topic: 'aaa.session-changed', imei: null, isNew: 'false' },
      { topic: 'aaa.imei-changed', imei: '490154203237518', isNew: null },
    ]);
    const sim = await database.pool.query('select last_imei, imei_changed_at from sims where id = $1', [
      sims.ids[0],
    ]);
    expect(sim.rows[0]).toEqual({ last_imei: '490154203237518', imei_changed_at: expect.any(Date) });
    const { rows } = await database.pool.query('select plmn from sim_usage_hourly where sim_id = $1', [
      sims.ids[0],
    ]);
    expect(rows).toEqual([{ plmn: 214_007 }]);
  });

  it('finds the SIM without an IMSI: by user name, else calling station, else the Class of its Accept', async () => {
    const sims = await fresh(4);
    const { rows } = await database.pool.query('select msisdn from sims where id = any($1) order by id', [
      sims.ids,
    ]);
    const at = Math.floor(minute(1).getTime() / 1000);
    const interim = { acctStatusType: 3, nasIdentifier: 'pgw-1', eventTimestamp: at, acctInputOctets: 50 };
    for (const values of [
      { ...interim, acctSessionId: 'I1', userName: `${sims.imsi(0)}@nai.epc.mnc002.mcc262.3gppnetwork.org` },
      { ...interim, acctSessionId: 'I2', userName: 'operator', callingStationId: `+${rows[1]?.msisdn}` },
      // A name of the APN's own, made of digits, which no SIM has.
      { ...interim, acctSessionId: 'I3', userName: '100200', callingStationId: `+${rows[2]?.msisdn}` },
      { ...interim, acctSessionId: 'I4', userName: '100200', class: Buffer.from(`imsi:${sims.imsi(3)}`) },
    ]) {
      const reply = await server.acct.send({
        code: radiusCode.accountingRequest,
        attributes: attributesOf(values),
      });
      expect(reply.ok).toBe(true);
    }
    for (const index of [0, 1, 2, 3]) expect(await live(sims, index)).toMatchObject({ used_bytes: 50 });
  });

  it('acknowledges records of an unknown SIM, and stores the others', async () => {
    const sims = await fresh(1);
    const unknown = { imsi: '901009999999999', session: 'J0', at: minute(0), up: 5 };
    const [one, two] = await Promise.all([
      sendAccounting(server.acct, 'interim', unknown),
      sendAccounting(server.acct, 'interim', { imsi: sims.imsi(0), session: 'J1', at: minute(0), up: 5 }),
    ]);
    expect([one, two]).toEqual([true, true]);
    expect(await countedBytes(database, sims.orgId)).toEqual(allCounted(5));
  });

  it('closes the sessions of a gateway that restarts', async () => {
    const sims = await fresh(3);
    for (const index of [0, 1, 2]) {
      const more = { nasIdentifier: index === 2 ? 'pgw-other' : 'pgw-restarts' };
      await sendAccounting(server.acct, 'start', {
        imsi: sims.imsi(index),
        session: `K${index}`,
        at: minute(0),
        ip: `10.8.0.${index + 1}`,
        more,
      });
    }
    const attributes = attributesOf({ acctStatusType: 7, nasIdentifier: 'pgw-restarts' });
    expect((await server.acct.send({ code: radiusCode.accountingRequest, attributes })).ok).toBe(true);
    const { rows } = await database.pool.query(
      'select terminate_cause from radius_sessions where org_id = $1 order by acct_session_id',
      [sims.orgId],
    );
    expect(rows.map((row) => row.terminate_cause)).toEqual(['NAS-Reboot', 'NAS-Reboot', null]);
    expect([await live(sims, 0), await live(sims, 2)]).toMatchObject([{ connection: 3 }, { connection: 1 }]);
  });

  it('closes only the sessions of an APN if the gateway names it, whatever operator identifier follows', async () => {
    const sims = await fresh(4);
    const apns = ['iot.example', 'IoT.Example.mnc002.mcc262.gprs', 'meter.example', ''];
    for (const [index, calledStationId] of apns.entries()) {
      await sendAccounting(server.acct, 'start', {
        imsi: sims.imsi(index),
        session: `APN${index}`,
        at: minute(0),
        ip: `10.9.0.${index + 1}`,
        more: { nasIdentifier: 'pgw-apns', calledStationId },
      });
    }
    const restart = { acctStatusType: 8, nasIdentifier: 'pgw-apns', calledStationId: 'iot.EXAMPLE' };
    const attributes = attributesOf(restart);
    expect((await server.acct.send({ code: radiusCode.accountingRequest, attributes })).ok).toBe(true);
    const { rows } = await database.pool.query(
      'select apn, terminate_cause as cause from radius_sessions where org_id = $1 order by acct_session_id',
      [sims.orgId],
    );
    expect(rows).toEqual([
      { apn: 'iot.example', cause: 'NAS-Reboot' },
      { apn: 'iot.example.mnc002.mcc262.gprs', cause: 'NAS-Reboot' },
      { apn: 'meter.example', cause: null },
      // Its APN is unknown: it may be this one, and is reopened by its next report if it is not.
      { apn: '', cause: 'NAS-Reboot' },
    ]);
  });

  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  it.each([
    ['by its gateway’s time', { eventTimestamp: Math.floor(daysAgo(2).getTime() / 1000) }],
    ['by how long it was delayed', { acctDelayTime: 2 * 86_400 }],
  ])(
    'closes only sessions from before the restart, however late its report arrives: %s',
    async (_, hours) => {
      const sims = await fresh(2);
      const more = { nasIdentifier: 'pgw-late' };
      const start = (index: number, at: Date) =>
        sendAccounting(server.acct, 'start', {
          imsi: sims.imsi(index),
          session: `N${index}`,
          at,
          more,
          ip: `10.9.0.${index + 1}`,
        });
      await start(0, daysAgo(3));
      await start(1, daysAgo(1.5));
      const attributes = attributesOf({ acctStatusType: 7, nasIdentifier: 'pgw-late', ...hours });
      expect((await server.acct.send({ code: radiusCode.accountingRequest, attributes })).ok).toBe(true);
      expect(await session(sims, 'N0')).toMatchObject([{ terminate_cause: 'NAS-Reboot' }]);
      expect(await session(sims, 'N1')).toMatchObject([{ terminate_cause: null, stopped_at: null }]);
    },
  );

  it('leaves the sessions of SIMs without an address alone when another begins without one', async () => {
    const sims = await fresh(2);
    for (const index of [0, 1]) {
      const session = { imsi: sims.imsi(index), session: `O${index}`, at: minute(index), ip: '0.0.0.0' };
      await sendAccounting(server.acct, 'start', session);
    }
    expect(await session(sims, 'O0')).toMatchObject([{ terminate_cause: null, ip_text: null }]);
  });

  it('stores a record whose APN exceeds the maximum length, wherever it is truncated', async () => {
    const sims = await fresh(1);
    const more = { calledStationId: `${'a'.repeat(127)}😀.example` };
    const base = { imsi: sims.imsi(0), session: 'P1', at: minute(1), up: 7, more };
    expect(await sendAccounting(server.acct, 'start', base)).toBe(true);
    expect(await session(sims, 'P1')).toMatchObject([{ apn: 'a'.repeat(127) }]);
  });

  it('uses the time of receipt when the gateway’s clock can’t be right', async () => {
    const sims = await fresh(2);
    await sendAccounting(server.acct, 'interim', {
      imsi: sims.imsi(0),
      session: 'L1',
      at: new Date(dayMs),
      up: 3,
    });
    await sendAccounting(server.acct, 'interim', {
      imsi: sims.imsi(1),
      session: 'L2',
      at: new Date('2027-06-01T00:00:00Z'),
      up: 4,
    });
    const { rows } = await database.pool.query('select ended_at from cdrs where org_id = $1', [sims.orgId]);
    expect(rows).toEqual([{ ended_at: clock.now() }, { ended_at: clock.now() }]);
  });
});
