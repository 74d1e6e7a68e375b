import { minuteMs } from '@simcube/contract/time';
import { attribute, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { type CoaGateway, openControlFixture } from '../../../testing/coa-gateway.ts';
import { radiusInventory, radiusKey, sendAccounting, type TestRadius } from '../../../testing/radius.ts';
import { aaaJobs } from '../aaa.jobs.ts';
import { controlJob } from './control.job.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const log = createLog({ level: 'silent', format: 'json' });
const timing = { initialTimeoutMs: 150, maxRetransmissions: 3, maxDurationMs: 2_000 };

let database: Database;
let server: TestRadius;
let gateway: CoaGateway;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, server, gateway, close } = await openControlFixture(clock));
});
beforeEach(async () => {
  await database.pool.query(
    'truncate dead_lettered_jobs, graphile_worker._private_jobs, radius_sessions, sim_events',
  );
  gateway.received.length = 0;
  gateway.react = () => 'ack';
});
afterAll(() => close());

/** A worker and a SIM with sessions of these names. */
const withSessions = async (names: readonly string[], assignment: string) => {
  const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
  const [simId = 0] = sims.ids;
  for (const [index, session] of names.entries()) {
    const packet = { imsi: sims.imsi(0), session, at: clock.now(), ip: `10.1.3.${index}` };
    await sendAccounting(server.acct, 'start', packet);
  }
  const update = (changed: string) =>
    database.pool.query(`update ${changed} where ${changed.startsWith('sims') ? 'id' : 'sim_id'} = $1`, [
      simId,
    ]);
  await update(assignment);
  const handlers = aaaJobs({ pool: database.pool, vault: vaultOf(radiusKey), clock, timing });
  const run = async (name: string, payload: object, attempt: number) => {
    const handler = handlers.find(({ job }) => job.name === name);
    await handler?.handle(payload, { signal: new AbortController().signal, log, attempt });
  };
  return {
    simId,
    update,
    send: (attempt = 1) => run(controlJob.name, { simId, reason: 'paused' }, attempt),
    sweep: () => run('aaa.reconcile-network', {}, 1),
    /** Results and times of the requests, by session. */
    events: async (): Promise<[session: string, result: string, at: Date][]> =>
      (
        await database.pool.query(
          `select facts ->> 'session' as session, facts ->> 'result' as result, at from sim_events
           where sim_id = $1 and kind in ('network-disconnect', 'network-coa') order by id`,
          [simId],
        )
      ).rows.map(({ session, result, at }) => [session, result, at]),
  };
};
const paused = 'sims set lifecycle = 30';
const slowed = `sim_live set data_state = 1, rate_kbps = 128, cycle_ends_at = '2026-12-01'`;
/** The sessions that were requested since the last call. */
const requested = (): (string | undefined)[] =>
  gateway.received.splice(0).map((packet) => readAttribute(packet, attribute.acctSessionId));
const react = (session: string, reaction: ReturnType<CoaGateway['react']>): void => {
  gateway.react = (packet) => (readAttribute(packet, attribute.acctSessionId) === session ? reaction : 'ack');
};
const wait = (minutes: number): void => clock.set(new Date(clock.now().getTime() + minutes * minuteMs));

describe('a session whose end was acknowledged, but whose Stop does not arrive', () => {
  it('is requested again with growing pauses, with one event', async () => {
    const sim = await withSessions(['S'], paused);
    const requests: number[] = [];
    for (let minute = 0; minute <= 15; minute += 1) {
      await sim.send();
      if (requested().length > 0) requests.push(minute);
      wait(1);
    }
    expect(requests).toEqual([0, 2, 6, 14]);
    expect(await sim.events()).toMatchObject([['S', 'ack', expect.any(Date)]]);
  });

  it('is not queued by the sweep before that', async () => {
    const sim = await withSessions(['S'], paused);
    const queued = async () =>
      (await database.pool.query('select 1 from graphile_worker._private_jobs')).rowCount;
    await sim.send();
    await sim.sweep();
    expect(await queued()).toBe(0);
    wait(2);
    await sim.sweep();
    expect(await queued()).toBe(1);
  });

  it('is requested and reported at once for another reason, or if its id is used again', async () => {
    const sim = await withSessions(['S'], paused);
    await sim.send();
    await sim.update('sims set lifecycle = 50');
    await sim.send();
    await sim.update(`radius_sessions set started_at = started_at + interval '1 minute'`);
    await sim.send();
    expect(requested()).toEqual(['S', 'S', 'S']);
    expect(await sim.events()).toHaveLength(3);
  });

  it('is requested again at once when it reports, without another event', async () => {
    const sim = await withSessions(['S'], paused);
    await sim.send();
    await sim.update(`radius_sessions set updated_at = updated_at + interval '1 second'`);
    await sim.send();
    await sim.send();
    expect(requested()).toEqual(['S', 'S']);
    expect(await sim.events()).toHaveLength(1);
  });

  it('is left alone while the end of another one is retried', async () => {
    const sim = await withSessions(['ended', 'refused'], paused);
    react('refused', { nak: 506 });
    await expect(sim.send()).rejects.toThrow('session refused with Error-Cause 506');
    requested();
    await expect(sim.send(2)).rejects.toThrow('session refused with Error-Cause 506');
    expect(requested()).toEqual(['refused']);
    expect((await sim.events()).filter(([session]) => session === 'ended')).toHaveLength(1);
  });
});

describe('the reply about one session', () => {
  it('is recorded with its own time while another gateway is awaited, which gets no request that is no longer due', async () => {
    const sim = await withSessions(['answered', 'silent'], paused);
    const answeredAt = clock.now();
    react('silent', 'silent');
    const sending = sim.send();
    await expect.poll(sim.events, { timeout: 2_000 }).toEqual([['answered', 'ack', answeredAt]]);
    await sim.update('sims set lifecycle = 23');
    wait(1);
    requested();
    await sending;
    // One may have been on its way.
    expect(requested().length).toBeLessThanOrEqual(1);
    expect(await sim.events()).toEqual([['answered', 'ack', answeredAt]]);
  });

  it('makes the rate of its SIM uncertain until the others are in', async () => {
    const sim = await withSessions(['answered', 'silent'], slowed);
    react('silent', 'silent');
    const rate = async () =>
      (
        await database.pool.query('select network_rate_kbps as kbps from sim_live where sim_id = $1', [
          sim.simId,
        ])
      ).rows[0].kbps;
    const sending = sim.send();
    await expect.poll(rate, { timeout: 2_000 }).toBe(0);
    gateway.react = () => 'ack';
    await sending;
    expect(await rate()).toBe(128);
  });
});
