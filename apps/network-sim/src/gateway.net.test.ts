import {
  type AccountingRecord,
  AttributeWriter,
  attribute,
  errorCause,
  openRadiusClient,
  type RadiusCode,
  radiusCode,
  readAttribute,
} from '@simcube/radius';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { demoDevices, type SimDevice } from './demo-devices.ts';
import { usageOf } from './device-usage.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { history } from './history.ts';
import type { Scenario } from './scenario.ts';
import { startTestAaa, type TestAaa, type TestAaaOptions, testSecret } from './testing/test-aaa.ts';
import { dayMs, hourMs } from './time.ts';

/** Seconds become hours: sessions are long, with ten updates per second. */
const scenario: Scenario = {
  name: 'test',
  description: '',
  nasIdentifier: 'pgw-test',
  nasIpAddress: '10.1.0.1',
  demoDevices: 1,
  seed: 3,
  speed: 3_600,
  maxActive: 5,
  maxPacketsPerSecond: 2_000,
  interimSeconds: { least: 0.1, most: 0.12 },
  roaming: 0,
  imeiChangeChance: 0,
  lostStopShare: 0,
  volume: {},
  rejectBackoffSeconds: { first: 0.2, most: 1 },
  retransmitMs: 50,
  statsEverySeconds: 60,
  events: [],
};

/** Cameras are nearly always in a session, so that something happens immediately. */
const cameras = demoDevices(2_000, 1).filter(({ kind }) => kind === 'camera');

let aaa: TestAaa;
let gateway: Gateway;
let logged: string[];

async function open(
  options: TestAaaOptions = {},
  changes: Partial<Scenario> = {},
  now = sinceNoon(),
  devices: readonly SimDevice[] = cameras,
): Promise<void> {
  aaa = await startTestAaa(options);
  logged = [];
  gateway = await startGateway({
    scenario: { ...scenario, ...changes },
    devices,
    server: { host: '127.0.0.1', authPort: aaa.authPort, acctPort: aaa.acctPort, secret: testSecret },
    coa: { host: '127.0.0.1', port: 0 },
    log: (_, message) => logged.push(message),
    now,
  });
}

const noon = Date.UTC(2026, 10, 18, 12);
/** A clock that starts at noon of the same day in each run, because a device's usage depends on the day. */
const sinceNoon = (): (() => number) => {
  const startedAt = Date.now();
  return () => noon + Date.now() - startedAt;
};
/** Some devices use nothing on that day. */
const isInUse = (imsi: string | undefined): boolean =>
  cameras.some(
    (camera) => camera.imsi === imsi && usageOf(camera, scenario.seed).factorOn(Math.floor(noon / dayMs)) > 0,
  );

afterEach(async () => {
  await gateway.stop();
  expect(aaa.faults).toEqual([]);
  await aaa.close();
});

const recordsOf = (status: AccountingRecord['status']): AccountingRecord[] =>
  aaa.acknowledged.filter((record) => record.status === status);

const waitFor = (check: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(check()).toBe(true), { timeout: 20_000, interval: 10 });

async function sendRequest(code: RadiusCode, attributes: AttributeWriter) {
  const client = await openRadiusClient({ host: '127.0.0.1', port: gateway.coaPort, secret: testSecret });
  const reply = await client.send({ code, attributes });
  await client.close();
  return reply.ok
    ? { code: reply.packet.code, cause: readAttribute(reply.packet, attribute.errorCause) }
    : reply.reason;
}

const selectSession = (record: AccountingRecord | undefined): AttributeWriter =>
  new AttributeWriter().add(attribute.acctSessionId, record?.sessionId ?? '');

describe('the gateway', () => {
  it('sends On, Access-Request, Start, interim updates with growing counters, Stop and Off', async () => {
    await open();
    await waitFor(() => recordsOf('interim').length >= 20);
    await gateway.stop();
    expect(aaa.acknowledged[0]?.status).toBe('on');
    expect(aaa.acknowledged.at(-1)?.status).toBe('off');
    expect(recordsOf('start').length).toBe(recordsOf('stop').length);
    expect(gateway.stats()).toMatchObject({ unacknowledged: 0, active: 0 });
    const sessions = new Map<string, AccountingRecord[]>();
    for (const record of aaa.acknowledged) {
      if (record.status === 'on' || record.status === 'off') continue;
      sessions.set(record.sessionId, [...(sessions.get(record.sessionId) ?? []), record]);
    }
    for (const records of sessions.values()) {
      expect(records[0]?.status).toBe('start');
      expect(records.at(-1)?.status).toBe('stop');
      const totals = records.slice(1).map(({ inputOctets = -1 }) => inputOctets);
      expect(totals).toEqual(totals.toSorted((left, right) => left - right));
      expect((totals.at(-1) ?? -1) > 0).toBe(isInUse(records[0]?.imsi));
    }
    expect(recordsOf('start')[0]).toMatchObject({
      nasIdentifier: 'pgw-test',
      framedIpAddress: '10.128.0.9',
      calledStationId: 'video.iot',
      servingNetwork: { mcc: expect.stringMatching(/^\d{3}$/) },
      location: { type: expect.stringMatching(/ecgi|ncgi/) },
      imei: cameras.find(({ imsi }) => imsi === recordsOf('start')[0]?.imsi)?.imei,
    });
  });

  it('limits sessions and packets per second', async () => {
    await open({}, { maxActive: 3, maxPacketsPerSecond: 20 });
    const from = performance.now();
    await waitFor(() => aaa.received.length + aaa.accessRequests.length >= 40);
    const seconds = (performance.now() - from) / 1_000;
    expect(seconds).toBeGreaterThan(1.3);
    expect(gateway.stats().active).toBeLessThanOrEqual(3);
  });

  it('backs off exponentially when rejected, and opens no session', async () => {
    const attempts: number[] = [];
    const accepts = () => attempts.push(performance.now()) < 0;
    await open({ accepts }, { maxActive: 1 }, sinceNoon(), cameras.slice(0, 1));
    await waitFor(() => gateway.stats().rejects >= 4);
    // From 0.2 s, doubled with each rejection, less at most a quarter.
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect([150, 300, 600].filter((ms, index) => (pauses[index] ?? 0) < ms - 5)).toEqual([]);
    expect(aaa.acknowledged.map(({ status }) => status)).toEqual(['on']);
    expect(gateway.stats()).toMatchObject({ accepts: 0, starts: 0, active: 0 });
  });

  it('retransmits accounting until it is acknowledged, in order per session', async () => {
    let isDeaf = true;
    await open({ acknowledges: ({ status }) => status === 'on' || !isDeaf }, { maxActive: 1 });
    await waitFor(() => gateway.stats().retransmitted >= 2);
    expect(aaa.received.filter(({ status }) => status === 'start').length).toBeGreaterThanOrEqual(2);
    expect(recordsOf('start')).toEqual([]);
    isDeaf = false;
    await waitFor(() => recordsOf('interim').length >= 2);
    const [first] = recordsOf('start');
    const own = aaa.acknowledged.filter(({ sessionId }) => sessionId === first?.sessionId);
    expect(own.map(({ status }) => status).slice(0, 2)).toEqual(['start', 'interim']);
  });

  it('reports the IPv6 prefix and interface identifier that the server gives a session', async () => {
    const interfaceId = Buffer.from('020000000000002a', 'hex');
    const accept = (attributes: AttributeWriter) =>
      attributes
        .add(attribute.framedIpv6Prefix, '2001:db8:0:7::/64')
        .add(attribute.framedInterfaceId, interfaceId);
    await open({ accept }, { maxActive: 1 });
    await waitFor(() => recordsOf('interim').length >= 1);
    for (const record of [recordsOf('start')[0], recordsOf('interim')[0]]) {
      expect(record?.framedIpv6Prefix).toBe('2001:db8:0:7::/64');
      expect(Buffer.from(record?.framedInterfaceId ?? []).equals(interfaceId)).toBe(true);
    }
  });

  it('handles a Disconnect-Request: ACK, then a Stop with Admin-Reset', async () => {
    await open({}, { maxActive: 2 });
    await waitFor(() => recordsOf('interim').length >= 1);
    const [victim] = recordsOf('start');
    expect(await sendRequest(radiusCode.disconnectRequest, selectSession(victim))).toEqual({
      code: radiusCode.disconnectAck,
      cause: undefined,
    });
    await waitFor(() => recordsOf('stop').some(({ sessionId }) => sessionId === victim?.sessionId));
    const stop = recordsOf('stop').find(({ sessionId }) => sessionId === victim?.sessionId);
    expect(stop?.terminateCause).toBe(6);
  });

  it('replies NAK with the cause: unknown session, other gateway, no identification, no change', async () => {
    await open({}, { maxActive: 1 });
    await waitFor(() => recordsOf('start').length >= 1);
    const [own] = recordsOf('start');
    const nak = radiusCode.disconnectNak;
    const disconnect = (attributes: AttributeWriter) => sendRequest(radiusCode.disconnectRequest, attributes);
    expect(await disconnect(new AttributeWriter().add(attribute.acctSessionId, 'none'))).toEqual({
      code: nak,
      cause: errorCause.sessionContextNotFound,
    });
    expect(await disconnect(selectSession(own).add(attribute.imsi, '999990000000000'))).toEqual({
      code: nak,
      cause: errorCause.sessionContextNotFound,
    });
    expect(await disconnect(selectSession(own).add(attribute.nasIdentifier, 'another'))).toEqual({
      code: nak,
      cause: errorCause.nasIdentificationMismatch,
    });
    expect(await disconnect(new AttributeWriter())).toEqual({
      code: nak,
      cause: errorCause.missingAttribute,
    });
    expect(await sendRequest(radiusCode.coaRequest, selectSession(own))).toEqual({
      code: radiusCode.coaNak,
      cause: errorCause.missingAttribute,
    });
    expect(recordsOf('stop')).toEqual([]);
  });

  it('applies rate limits from Access-Accept and CoA', async () => {
    await open(
      { accept: (attributes) => attributes.add(attribute.wisprBandwidthMaxUp, 800) },
      { maxActive: 1 },
    );
    await waitFor(() => recordsOf('interim').length >= 3);
    const speeds = (): number[] => {
      const own = recordsOf('interim').filter(
        ({ sessionId }) => sessionId === recordsOf('interim')[0]?.sessionId,
      );
      // 100 octets per second; timers may be late, but no two updates are ten seconds apart.
      return own.slice(1).map((record, index) => (record.inputOctets ?? 0) - (own[index]?.inputOctets ?? 0));
    };
    expect(Math.max(...speeds())).toBeLessThanOrEqual(100 * 10);
    const [own] = recordsOf('start');
    const imsi = new AttributeWriter().add(attribute.imsi, own?.imsi ?? '');
    expect(
      await sendRequest(radiusCode.coaRequest, imsi.add(attribute.wisprBandwidthMaxUp, 0)),
    ).toMatchObject({
      code: radiusCode.coaAck,
    });
    await waitFor(() => Math.max(...speeds()) > 10_000);
    expect(gateway.stats().rateChanges).toBe(1);
  });

  it.each([6, 600])('has the hourly volume of the history, at %s times the speed', async (speed) => {
    const fromMs = Date.parse('2025-06-11T10:00:00Z');
    let nowMs = fromMs;
    await open({}, { speed, maxActive: 12, interimSeconds: { least: 20, most: 30 } }, () => nowMs);
    await waitFor(() => logged.includes('gateway up'));
    // At each step every session has an update due.
    while (nowMs < fromMs + hourMs) {
      nowMs += 40_000;
      const before = aaa.acknowledged.length;
      await waitFor(() => aaa.acknowledged.length >= before + 5 && gateway.stats().unacknowledged === 0);
    }
    await gateway.stop();
    const carried = new Map<string, number>();
    for (const { sessionId, inputOctets = 0, outputOctets = 0 } of aaa.acknowledged) {
      carried.set(sessionId, Math.max(carried.get(sessionId) ?? 0, inputOctets + outputOctets));
    }
    const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
    const rows = [...history({ devices: cameras, seed: scenario.seed, untilMs: fromMs + hourMs, days: 1 })];
    const wanted = rows.filter(({ started_at }) => Date.parse(started_at) >= fromMs);
    const ratio =
      sum(carried.values()) / sum(wanted.map(({ up_bytes, down_bytes }) => up_bytes + down_bytes));
    expect(ratio).toBeGreaterThan(0.97);
    expect(ratio).toBeLessThan(1.03);
  });

  it('restarts on request: Off, then On, and new session ids', async () => {
    await open(
      {},
      { maxActive: 2, events: [{ do: 'restart', atSeconds: 1, downSeconds: 0.2, announced: true }] },
    );
    await waitFor(() => recordsOf('on').length === 2);
    const at = aaa.acknowledged.findIndex(({ status }) => status === 'off');
    expect(at).toBeGreaterThan(0);
    const before = new Set(aaa.acknowledged.slice(0, at).map(({ sessionId }) => sessionId));
    await waitFor(() => aaa.acknowledged.slice(at).some(({ status }) => status === 'start'));
    const fresh = aaa.acknowledged.slice(at).find(({ status }) => status === 'start');
    expect(before.has(fresh?.sessionId ?? '')).toBe(false);
  });

  it('moves devices to other countries on request, in new sessions', async () => {
    const networkOf = ({ servingNetwork }: AccountingRecord): string => servingNetwork?.mcc ?? '';
    const roam = { do: 'roam', atSeconds: 0.5, everySeconds: 0.5, share: 1 } as const;
    await open({}, { maxActive: 3, events: [roam] });
    await waitFor(() => recordsOf('stop').some(({ terminateCause }) => terminateCause === 2));
    const moved = recordsOf('stop').find(({ terminateCause }) => terminateCause === 2);
    const own = (): AccountingRecord[] => recordsOf('start').filter(({ imsi }) => imsi === moved?.imsi);
    await waitFor(() => new Set(own().map(networkOf)).size >= 2);
  });

  it('waits for an unreachable server, and can be stopped meanwhile', async () => {
    await open({ acknowledges: () => false });
    await waitFor(() => aaa.received.length >= 3);
    expect(gateway.stats()).toMatchObject({ active: 0, unacknowledged: 1 });
    const before = performance.now();
    await gateway.stop();
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
