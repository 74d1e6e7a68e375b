import { attribute, errorCause, type RadiusPacket, radiusCode, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { deadLetterExhausted, listDeadLetters } from '../../../platform/jobs/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createMetrics } from '../../../platform/metrics/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { type CoaGateway, openControlFixture } from '../../../testing/coa-gateway.ts';
import {
  attributesOf,
  radiusInventory,
  radiusKey,
  sendAccounting,
  type TestRadius,
  type TestSims,
} from '../../../testing/radius.ts';
import { requestsGivenUp } from '../aaa.events.ts';
import { aaaJobs } from '../aaa.jobs.ts';
import { type ControlOrder, controlJob, enqueueControl } from './control.job.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const timing = { initialTimeoutMs: 50, maxRetransmissions: 1, maxDurationMs: 150 };

let database: Database;
let server: TestRadius;
let gateway: CoaGateway;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, server, gateway, close } = await openControlFixture(clock));
});
beforeEach(async () => {
  await database.pool.query(
    `truncate dead_lettered_jobs, graphile_worker._private_jobs, radius_sessions, sim_events`,
  );
  gateway.received.length = 0;
  gateway.react = () => 'ack';
});
afterAll(() => close());

const handlers = () => aaaJobs({ pool: database.pool, vault: vaultOf(radiusKey), clock, timing });
const handlerOf = (name: string) => {
  const handler = handlers().find(({ job }) => job.name === name);
  if (!handler) throw new Error(`There is no job ${name}`);
  return handler;
};
const context = (attempt = 1) => ({ signal: new AbortController().signal, log, attempt });
const runJob = (order: ControlOrder, attempt = 1) =>
  handlerOf(controlJob.name).handle(order, context(attempt));
const due = (sims: TestSims, attempt = 1) =>
  runJob({ simId: sims.ids[0] ?? 0, reason: 'quota-used' }, attempt);
const reconcile = () => handlerOf('aaa.reconcile-network').handle({}, context());

const requestAccess = async (sims: TestSims): Promise<RadiusPacket> => {
  const attributes = attributesOf({ imsi: sims.imsi(0) });
  const reply = await server.auth.send({ code: radiusCode.accessRequest, attributes });
  if (!reply.ok) throw new Error(reply.reason);
  return reply.packet;
};
const startSession = (sims: TestSims, network = { mcc: '262', mnc: '02' }) =>
  sendAccounting(server.acct, 'start', {
    imsi: sims.imsi(0),
    session: `S${sims.orgId}`,
    at: clock.now(),
    ip: '10.1.2.3',
    network,
  });
/** Creates a SIM with a session. */
const open = async (): Promise<TestSims> => {
  const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
  await startSession(sims);
  return sims;
};
const update = (sims: TestSims, assignment: string) =>
  database.pool.query(`update ${assignment} where ${assignment.startsWith('sims') ? 'id' : 'sim_id'} = $1`, [
    sims.ids[0],
  ]);
const pause = (sims: TestSims) => update(sims, 'sims set lifecycle = 30');
const slow = (sims: TestSims) =>
  update(sims, `sim_live set data_state = 1, rate_kbps = 128, cycle_ends_at = '2026-12-01'`);
const facts = async (sims: TestSims, kind: string) =>
  (
    await database.pool.query('select facts from sim_events where org_id = $1 and kind = $2 order by id', [
      sims.orgId,
      kind,
    ])
  ).rows.map((row) => row.facts);
const requests = () =>
  gateway.received.map((packet) => [packet.code, readAttribute(packet, attribute.acctSessionId)]);
const letters = () => listDeadLetters(database.pool, { name: controlJob.name, limit: 100 });
/** Queues what is due, lets all attempts fail, and dead-letters the job. */
const exhaustAttempts = async (sims: TestSims) => {
  await enqueueControl(database.pool, [{ simId: sims.ids[0] ?? 0, reason: 'paused' }]);
  for (let attempt = 1; attempt <= controlJob.maxAttempts; attempt += 1) {
    await expect(due(sims, attempt)).rejects.toThrow('Gateway test gateway');
  }
  await database.pool.query(
    `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no reply'`,
  );
  const options = { pool: database.pool, handlers: handlers(), log, metrics: createMetrics() };
  expect(await deadLetterExhausted(options)).toBe(1);
};

describe('the gateway of an open session', () => {
  it('gets a Disconnect for a SIM that must not be online, with the names of its own, and its reply is an event that names the gateway', async () => {
    const sims = await open();
    await pause(sims);
    await due(sims);
    const [packet] = gateway.received;
    expect(packet?.code).toBe(radiusCode.disconnectRequest);
    const read = (name: 'acctSessionId' | 'nasIdentifier' | 'framedIpAddress' | 'userName' | 'imsi') =>
      packet && readAttribute(packet, attribute[name]);
    expect([read('acctSessionId'), read('nasIdentifier'), read('framedIpAddress')]).toEqual([
      `S${sims.orgId}`,
      'pgw-1',
      '10.1.2.3',
    ]);
    expect([read('userName'), read('imsi')]).toEqual([undefined, undefined]);
    const sentAt = packet && readAttribute(packet, attribute.eventTimestamp);
    expect(sentAt).toBe(clock.now().getTime() / 1000);
    expect(await facts(sims, 'network-disconnect')).toEqual([
      {
        session: `S${sims.orgId}`,
        gateway: 'test gateway',
        result: 'ack',
        error_cause: null,
        reason: 'paused',
      },
    ]);
  });

  it('gets no request when the SIM may stay online: an outdated order does nothing', async () => {
    const sims = await open();
    await pause(sims);
    await update(sims, 'sims set lifecycle = 23');
    await due(sims);
    expect(gateway.received).toEqual([]);
  });

  it('gets a Disconnect for a session that began while another was being ended', async () => {
    const sims = await open();
    await pause(sims);
    const late = `S${sims.orgId}-late`;
    const insertLate = (): Promise<unknown> =>
      database.pool.query(
        `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id,
         started_at, updated_at, up_bytes, down_bytes)
       select sim_id, session_key + 1, org_id, client_id, nas, gateway_address, $2, started_at, updated_at, 0, 0
       from radius_sessions where sim_id = $1 and acct_session_id <> $2 on conflict do nothing`,
        [sims.ids[0], late],
      );
    let insertion: Promise<unknown> | undefined;
    gateway.react = () => {
      insertion ??= insertLate();
      return 'silent';
    };
    await expect(due(sims)).rejects.toThrow();
    await insertion;
    expect(new Set(requests().map(([, session]) => session))).toEqual(new Set([`S${sims.orgId}`, late]));
  });

  it('gets one CoA for another rate limit, and one to lift it when the cycle ends', async () => {
    const sims = await open();
    await slow(sims);
    await due(sims);
    await due(sims);
    await update(sims, `sim_live set cycle_ends_at = '2026-11-20'`);
    await due(sims);
    await due(sims);
    const rates = gateway.received.map((packet) => readAttribute(packet, attribute.wisprBandwidthMaxDown));
    expect(rates).toEqual([128_000, 0xffff_ffff]);
    expect(await facts(sims, 'network-coa')).toMatchObject([
      { result: 'ack', rate_kbps: 128, reason: 'quota-used' },
      { result: 'ack', rate_kbps: null },
    ]);
  });

  it('gets no CoA for the rate limit of the Access-Accept', async () => {
    const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
    await slow(sims);
    expect(readAttribute(await requestAccess(sims), attribute.wisprBandwidthMaxDown)).toBe(128_000);
    const confirmed = async () =>
      (await database.pool.query('select network_rate_kbps from sim_live where sim_id = $1', [sims.ids[0]]))
        .rows;
    await expect.poll(confirmed).toEqual([{ network_rate_kbps: 128 }]);
    await startSession(sims);
    await due(sims);
    expect(gateway.received).toEqual([]);
  });

  it.each(['disconnect', 'rate'] as const)(
    'may no longer have it (Error-Cause 503): then it is closed here, too (%s)',
    async (action) => {
      gateway.react = () => ({ nak: errorCause.sessionContextNotFound });
      const sims = await open();
      await (action === 'disconnect' ? pause(sims) : slow(sims));
      await due(sims);
      expect(await facts(sims, 'session-stopped')).toMatchObject([{ cause: 'Lost-Service' }]);
    },
  );

  it('gets the same datagram again if it does not reply', async () => {
    let requestCount = 0;
    gateway.react = () => {
      requestCount += 1;
      return requestCount < 2 ? 'silent' : 'ack';
    };
    const sims = await open();
    await pause(sims);
    await due(sims);
    const [first, second] = gateway.received;
    expect(gateway.received).toHaveLength(2);
    expect(second?.identifier).toBe(first?.identifier);
  });

  it.each([
    ['no reply', 'silent', 'did not answer a Disconnect-Request for session S'],
    ['a refusal', { nak: 501 }, 'refused a Disconnect-Request for session S'],
  ] as const)('is asked again later after %s, and the failure names it', async (_, taking, message) => {
    gateway.react = () => taking;
    const sims = await open();
    await pause(sims);
    await expect(due(sims)).rejects.toThrow(
      `Gateway test gateway (127.0.0.1:${gateway.port}) ${message}${sims.orgId}`,
    );
    gateway.react = () => 'ack';
    await due(sims, 2);
    expect(await facts(sims, 'network-disconnect')).toMatchObject([
      { result: taking === 'silent' ? 'timeout' : 'nak' },
      { result: 'ack' },
    ]);
  });

  it('leads to a failure with that reason if it was removed', async () => {
    const sims = await open();
    await pause(sims);
    await database.pool.query('update radius_sessions set client_id = 0 where sim_id = $1', [sims.ids[0]]);
    await expect(due(sims)).rejects.toThrow(`The gateway of session S${sims.orgId} is no longer known`);
    expect(await facts(sims, 'network-disconnect')).toMatchObject([
      { result: 'gateway-unknown', gateway: null },
    ]);
  });
});

describe('a Disconnect without a reply', () => {
  it('ends after its last attempt with one live event of the SIM', async () => {
    gateway.react = () => 'silent';
    const sims = await open();
    await pause(sims);
    await exhaustAttempts(sims);
    expect(await facts(sims, 'network-disconnect')).toMatchObject([
      { result: 'timeout' },
      { result: 'timeout' },
    ]);
    expect(await facts(sims, 'disconnect-failed')).toEqual([
      { session: `S${sims.orgId}`, gateway: 'test gateway', attempts: 5, reason: 'paused' },
    ]);
    const { rows } = await database.pool.query(
      'select payload from outbox where topic = $1 order by id desc limit 1',
      [requestsGivenUp.topic],
    );
    expect(requestsGivenUp.live?.(requestsGivenUp.payload.parse(rows[0].payload))).toMatchObject([
      { name: 'sim.event', data: { iccid: sims.iccid(0), kind: 'disconnect-failed' } },
    ]);
    expect(await letters()).toHaveLength(1);
  });

  it('is retried by the sweep, without more events, until the gateway is back', async () => {
    gateway.react = () => 'silent';
    const sims = await open();
    await pause(sims);
    await exhaustAttempts(sims);
    gateway.received.length = 0;
    await reconcile();
    expect(requests()).toContainEqual([radiusCode.disconnectRequest, `S${sims.orgId}`]);
    expect(await letters()).toHaveLength(1);
    expect(await database.pool.query('select 1 from graphile_worker._private_jobs')).toMatchObject({
      rowCount: 0,
    });
    gateway.react = () => 'ack';
    await reconcile();
    expect(await letters()).toEqual([]);
    expect(await facts(sims, 'network-disconnect')).toMatchObject([
      { result: 'timeout' },
      { result: 'timeout' },
      { result: 'ack' },
    ]);
    expect(await facts(sims, 'disconnect-failed')).toHaveLength(1);
  });

  it('is dropped when the SIM may be online again', async () => {
    gateway.react = () => 'silent';
    const sims = await open();
    await pause(sims);
    await exhaustAttempts(sims);
    await update(sims, 'sims set lifecycle = 23');
    gateway.received.length = 0;
    await reconcile();
    expect(await letters()).toEqual([]);
    expect(gateway.received).toEqual([]);
  });

  it('ends with an event even if the session was already reset', async () => {
    gateway.react = () => ({ nak: 501 });
    const sims = await open();
    const { rows } = await database.pool.query(
      `update radius_sessions set stopped_at = updated_at, terminate_cause = 'Admin-Reset' where sim_id = $1
       returning session_key::float8 as key`,
      [sims.ids[0]],
    );
    const order = { simId: sims.ids[0] ?? 0, reason: 'reset' as const, sessionKeys: [rows[0].key] };
    await expect(runJob(order)).rejects.toThrow('with Error-Cause 501');
    const client = await database.pool.connect();
    await handlerOf(controlJob.name).exhausted?.(client, order, { error: 'refused', attempts: 5 });
    client.release();
    expect(await facts(sims, 'disconnect-failed')).toMatchObject([
      { reason: 'reset', gateway: 'test gateway' },
    ]);
  });
});

describe('a rate limit that the gateway does not accept', () => {
  it('ends after its last attempt with an event of the SIM, and is retried by the sweep', async () => {
    gateway.react = () => ({ nak: 506 });
    const sims = await open();
    await slow(sims);
    await exhaustAttempts(sims);
    expect(await facts(sims, 'rate-change-failed')).toMatchObject([
      { gateway: 'test gateway', attempts: 5, rate_kbps: 128 },
    ]);
    gateway.react = () => 'ack';
    await reconcile();
    expect(await letters()).toEqual([]);
    expect(await facts(sims, 'network-coa')).toContainEqual(
      expect.objectContaining({ result: 'ack', rate_kbps: 128 }),
    );
  });
});

describe('the sweep', () => {
  const ordered = async (): Promise<number[]> =>
    (
      await database.pool.query<{ sim: number }>(
        `select (payload ->> 'simId')::integer as sim from graphile_worker._private_jobs order by id`,
      )
    ).rows.map(({ sim }) => sim);

  it('queues the end of a session that began after its SIM was suspended: accept, suspend, start', async () => {
    const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
    expect((await requestAccess(sims)).code).toBe(radiusCode.accessAccept);
    await pause(sims);
    await startSession(sims);
    await reconcile();
    await reconcile();
    expect(await ordered()).toEqual([sims.ids[0]]);
    await due(sims);
    expect(requests()).toEqual([[radiusCode.disconnectRequest, `S${sims.orgId}`]]);
  });

  it('queues the rate limit of a session that was accepted before its SIM was slowed down', async () => {
    const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
    expect((await requestAccess(sims)).code).toBe(radiusCode.accessAccept);
    await slow(sims);
    await startSession(sims);
    await reconcile();
    expect(await ordered()).toEqual([sims.ids[0]]);
  });

  it.each([
    ['expired', 'sims set lifecycle = 40', true],
    ['terminated', 'sims set lifecycle = 50', true],
    ['pre-activated without a test plan', 'sims set lifecycle = 10', true],
    ['stopped by its quota', `sim_live set data_state = 2, cycle_ends_at = '2026-12-01'`, true],
    ['stopped in a cycle that is over', `sim_live set data_state = 2, cycle_ends_at = '2026-11-20'`, false],
    ['active', 'sims set lifecycle = 23', false],
  ])('minds a SIM that is %s', async (_, assignment, isDue) => {
    const sims = await open();
    await update(sims, assignment);
    await reconcile();
    expect(await ordered()).toEqual(isDue ? sims.ids : []);
  });

  it('does not queue what is already queued', async () => {
    const sims = await open();
    await pause(sims);
    await enqueueControl(database.pool, [{ simId: sims.ids[0] ?? 0, reason: 'paused' }]);
    await database.pool.query('update graphile_worker._private_jobs set attempts = 3');
    await reconcile();
    expect((await database.pool.query('select attempts from graphile_worker._private_jobs')).rows).toEqual([
      { attempts: 3 },
    ]);
  });
});
