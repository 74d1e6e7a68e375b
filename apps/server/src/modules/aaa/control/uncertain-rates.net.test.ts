import { attribute, errorCause, readAttribute } from '@simcube/radius';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { type CoaGateway, openControlFixture } from '../../../testing/coa-gateway.ts';
import { radiusInventory, radiusKey, sendAccounting, type TestRadius } from '../../../testing/radius.ts';
import { controlJob } from './control.job.ts';
import { type Control, createControl } from './control.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const timing = { initialTimeoutMs: 50, maxRetransmissions: 1, maxDurationMs: 150 };

let database: Database;
let server: TestRadius;
let gateway: CoaGateway;
let control: Control;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, server, gateway, close } = await openControlFixture(clock));
  control = createControl({ pool: database.pool, vault: vaultOf(radiusKey), clock, timing });
});
beforeEach(() => {
  gateway.received.length = 0;
  gateway.react = () => 'ack';
});
afterAll(() => close());

/** A slowed SIM with sessions of these names. */
const slowed = async (sessions: readonly string[]) => {
  const sims = await radiusInventory(database, 1, { coaPort: gateway.port });
  const [simId = 0] = sims.ids;
  const start = (session: string, index: number) =>
    sendAccounting(server.acct, 'start', {
      imsi: sims.imsi(0),
      session,
      at: clock.now(),
      ip: `10.1.2.${index}`,
    });
  for (const [index, session] of sessions.entries()) await start(session, index);
  const update = (assignment: string) =>
    database.pool.query(`update sim_live set ${assignment} where sim_id = $1`, [simId]);
  await update(`data_state = 1, rate_kbps = 128, cycle_ends_at = '2026-12-01'`);
  return {
    start,
    /** Carries out the orders that were queued, whenever they are to run. @returns in how many seconds each was to run */
    runQueued: async () => {
      const { rows } = await database.pool.query(
        `delete from graphile_worker._private_jobs where payload ->> 'simId' = $1
         returning payload, run_at as "runAt"`,
        [String(simId)],
      );
      for (const { payload } of rows)
        await control.execute(controlJob.payload.parse(payload), { includeFailures: true });
      return rows.map(({ runAt }) => (runAt.getTime() - clock.now().getTime()) / 1000);
    },
    /** Sends what is due. @returns whether each session has it now, by session */
    send: async () => {
      const outcomes = await control.execute({ simId, reason: 'quota-used' }, { includeFailures: true });
      return Object.fromEntries(outcomes.map(({ sessionId, isDone }) => [sessionId, isDone]));
    },
    restore: () => update('data_state = 0, rate_kbps = null'),
  };
};
/** The gateway reacts in this way to requests for one session, and acknowledges all others. */
const reactTo = (session: string, reaction: ReturnType<CoaGateway['react']>): void => {
  gateway.react = (packet) => (readAttribute(packet, attribute.acctSessionId) === session ? reaction : 'ack');
};
/** Down rates of the requests, by session. */
const rates = () =>
  gateway.received.map((packet) => [
    readAttribute(packet, attribute.acctSessionId),
    readAttribute(packet, attribute.wisprBandwidthMaxDown),
  ]);
const unlimited = 0xffff_ffff;

describe('a rate limit that the gateway may have applied', () => {
  it('although its reply was lost is lifted, once, if it no longer applies', async () => {
    const sim = await slowed(['lost']);
    reactTo('lost', 'silent');
    expect(await sim.send()).toEqual({ lost: false });
    await sim.restore();
    gateway.react = () => 'ack';
    gateway.received.length = 0;
    expect(await sim.send()).toEqual({ lost: true });
    expect(await sim.send()).toEqual({});
    expect(rates()).toEqual([['lost', unlimited]]);
  });

  it('to one of two sessions only is lifted if it no longer applies', async () => {
    const sim = await slowed(['taken', 'refused']);
    reactTo('refused', { nak: 506 });
    expect(await sim.send()).toEqual({ taken: true, refused: false });
    await sim.restore();
    gateway.react = () => 'ack';
    gateway.received.length = 0;
    await sim.send();
    expect(rates()).toContainEqual(['taken', unlimited]);
  });

  it('is not requested again when the gateway no longer has one of the sessions', async () => {
    const sim = await slowed(['present', 'gone']);
    reactTo('gone', { nak: errorCause.sessionContextNotFound });
    expect(await sim.send()).toEqual({ present: true, gone: true });
    expect(await sim.send()).toEqual({});
  });

  it('is not lifted if the gateway refused it', async () => {
    const sim = await slowed(['unchanged']);
    reactTo('unchanged', { nak: 506 });
    expect(await sim.send()).toEqual({ unchanged: false });
    await sim.restore();
    gateway.received.length = 0;
    expect(await sim.send()).toEqual({});
    expect(gateway.received).toEqual([]);
  });
});

describe('a session that starts after a rate changed, accepted before', () => {
  it('gets the new rate a minute later, like all others of its SIM, and once', async () => {
    const sim = await slowed(['first']);
    await sim.send();
    await sim.start('second', 7);
    expect(await sim.send()).toEqual({});
    gateway.received.length = 0;
    expect(await sim.runQueued()).toEqual([60]);
    expect(rates().sort()).toEqual([
      ['first', 128_000],
      ['second', 128_000],
    ]);
    expect(await sim.runQueued()).toEqual([]);
  });

  it('loses the rate that it was accepted with', async () => {
    const sim = await slowed(['first']);
    await sim.send();
    await sim.restore();
    await sim.send();
    await sim.start('second', 7);
    gateway.received.length = 0;
    await sim.runQueued();
    expect(rates()).toContainEqual(['second', unlimited]);
  });

  it('is overdue while its gateway refuses the rate', async () => {
    const sim = await slowed(['first']);
    await sim.send();
    await sim.start('second', 7);
    reactTo('second', { nak: 506 });
    await sim.runQueued();
    expect(await sim.send()).toEqual({ first: true, second: false });
  });

  it('is taken to have the rate if its gateway does not answer: no session is sent it every minute', async () => {
    const sim = await slowed(['first']);
    await sim.send();
    await sim.start('second', 7);
    reactTo('second', 'silent');
    expect(await sim.runQueued()).toEqual([60]);
    expect(await sim.send()).toEqual({});
    expect(await sim.runQueued()).toEqual([]);
  });

  it('is still due another rate that its gateway does not answer', async () => {
    const sim = await slowed(['first']);
    await sim.send();
    await sim.start('second', 7);
    await sim.restore();
    reactTo('second', 'silent');
    expect(await sim.runQueued()).toEqual([60]);
    expect(await sim.send()).toEqual({ first: true, second: false });
  });

  it('is not requested where no other session started', async () => {
    const sim = await slowed(['only']);
    await sim.send();
    gateway.received.length = 0;
    expect(await sim.runQueued()).toEqual([60]);
    expect(gateway.received).toEqual([]);
  });
});
