import { hourMs } from '@simcube/contract/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { mixedRates } from '../aaa.rules.ts';
import type { Intake } from '../intake/intake.ts';
import type { SessionUpdate } from '../intake/update.ts';
import { closeSilentSessions } from '../sessions/close-sessions.service.ts';
import { sweepConnections } from '../sessions/sweep.service.ts';
import { startUnknownSimRecorder } from '../unknown/unknown-sims.ts';
import { type AccessService, startAccess } from './access.service.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const after = (hours: number) => new Date(noon.getTime() + hours * hourMs);
const log = createLog({ level: 'silent', format: 'json' });

let database: Database;
let intake: Intake;

beforeAll(async () => {
  database = await testDatabase();
  intake = await testIntake(database, new FixedClock(noon.toISOString()));
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});

const accept = (access: AccessService, sims: TestSims) =>
  access.decide({
    identity: `imsi:${sims.imsi(0)}`,
    apn: undefined,
    plmn: undefined,
    gateway: { id: 1, name: 'pgw-1' },
  });
/** Accepts the SIM at this time; the consequences are stored after `before`. */
const authorise = async (sims: TestSims, at = noon, before?: () => Promise<unknown>) => {
  const clock = new FixedClock(at.toISOString());
  const options = { pool: database.pool, log, clock };
  const unknown = startUnknownSimRecorder(options);
  const access = startAccess({ ...options, unknown, longCodes: () => new Set() });
  expect(await accept(access, sims)).toMatchObject({ accept: true });
  await before?.();
  await access.stop();
  await unknown.stop();
};
const report = (sims: TestSims, at: Date, facts: Partial<SessionUpdate>) =>
  storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(0), at: at.getTime() }, facts));
const slow = ({ ids }: TestSims) =>
  database.pool.query(
    `update sim_live set data_state = 1, rate_kbps = 128, cycle_ends_at = '2026-12-01' where sim_id = any($1)`,
    [ids],
  );
const live = async ({ ids }: TestSims) =>
  (
    await database.pool.query(
      'select connection, network_rate_kbps as rate, last_seen_at as "seenAt" from sim_live where sim_id = $1',
      [ids[0]],
    )
  ).rows[0];

describe('the rate in an Accept', () => {
  it('is the network’s, also if the session that it is for has begun before it is stored', async () => {
    const sims = await radiusInventory(database, 1);
    await slow(sims);
    await authorise(sims, noon, () => report(sims, noon, { status: 'start' }));
    expect(await live(sims)).toMatchObject({ connection: 1, rate: 128 });
  });

  it('may not be that of a session from before it', async () => {
    const sims = await radiusInventory(database, 1);
    await report(sims, noon, { status: 'start' });
    await slow(sims);
    await authorise(sims, noon);
    expect(await live(sims)).toMatchObject({ connection: 1, rate: mixedRates });
  });
});

describe('a SIM that is authorised', () => {
  const sweep = (at: Date) => sweepConnections(database.pool, at);

  it('and has no accounting stays connected for a day after the last Accept', async () => {
    const sims = await radiusInventory(database, 1);
    for (const hours of [0, 10, 10.5, 20]) await authorise(sims, after(hours));
    await sweep(after(25));
    expect(await live(sims)).toEqual({ connection: 2, rate: null, seenAt: after(20) });
    await sweep(after(44.1));
    expect(await live(sims)).toMatchObject({ connection: 3 });
  });

  it('is not written as seen more than once an hour, nor if it is online', async () => {
    const sims = await radiusInventory(database, 2);
    await authorise(sims);
    await authorise(sims, after(0.9));
    expect(await live(sims)).toMatchObject({ seenAt: noon });
    await report(sims, after(1), { status: 'start' });
    await authorise(sims, after(3));
    expect(await live(sims)).toMatchObject({ connection: 1, seenAt: after(1) });
  });

  it.each([
    { accepted: 20, status: 'connected', seen: 'after an Accept', connection: 2 },
    { accepted: undefined, status: 'offline', seen: 'without an Accept', connection: 3 },
  ])('is $status when its silent session is closed $seen', async ({ accepted, connection }) => {
    const sims = await radiusInventory(database, 1);
    await report(sims, noon, { status: 'start' });
    await sweep(after(1));
    if (accepted !== undefined) await authorise(sims, after(accepted));
    expect(await closeSilentSessions(database.pool, after(0.1))).toBeGreaterThan(0);
    expect(await live(sims)).toMatchObject({ connection });
  });

  it('keeps the rate of its silent session if it is accepted with the same', async () => {
    const sims = await radiusInventory(database, 1);
    await report(sims, noon, { status: 'start' });
    await sweep(after(25));
    await authorise(sims, after(25));
    expect(await live(sims)).toEqual({ connection: 2, rate: null, seenAt: after(25) });
  });
});
