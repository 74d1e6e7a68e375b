import { minuteMs } from '@simcube/contract/time';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory, type TestSims } from '../../../testing/radius.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { findOverdue } from '../control/sessions.views.ts';
import type { Intake } from '../intake/intake.ts';
import type { SessionUpdate } from '../intake/update.ts';
import { closeGatewaySessions, closeSilentSessions, resetSessions } from './close-sessions.service.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const noon = clock.now().getTime();
let database: Database;
let intake: Intake;
let sims: TestSims;

beforeAll(async () => {
  database = await testDatabase();
  intake = await testIntake(database, clock);
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});
beforeEach(async () => {
  await database.pool.query('truncate radius_sessions, outbox');
  sims = await radiusInventory(database, 2);
});

const at = (minutes: number) => new Date(noon - minutes * minuteMs);

/** A report on one of the first SIM's sessions, minutes before noon. */
const report = (minutes: number, facts: Partial<SessionUpdate> = {}) =>
  storeUpdate(intake, sessionUpdate({ imsi: sims.imsi(0), at: noon - minutes * minuteMs }, facts));

const connectionFacts = async () => {
  const { rows } = await database.pool.query(
    `select c ->> 'status' as status, (c ->> 'isNew')::boolean as "isNew", jsonb_array_length(c -> 'iccids') as sims
     from outbox cross join jsonb_array_elements(payload -> 'changes') as c
     where topic = 'aaa.session-changed' order by id`,
  );
  return rows;
};

const sessions = async () =>
  (
    await database.pool.query(
      `select acct_session_id as id, terminate_cause as cause, stopped_at as "stoppedAt", up_bytes as up
       from radius_sessions order by acct_session_id`,
    )
  ).rows;

describe('a session closed without a report of its end', () => {
  const silentSince = (minutes: number) =>
    closeSilentSessions(database.pool, new Date(noon - minutes * minuteMs));

  it('does not make its SIM offline while it has another open session', async () => {
    await report(90, { status: 'start', sessionKey: 1 });
    await report(10, { status: 'start', sessionKey: 2 });
    await database.pool.query('truncate outbox');
    expect(await silentSince(60)).toBe(1);
    expect(await connectionFacts()).toEqual([{ status: 'online', isNew: false, sims: 1 }]);
  });

  it('makes its SIM offline once, however many sessions are closed', async () => {
    await report(90, { status: 'start', sessionKey: 1 });
    await report(80, { status: 'start', sessionKey: 2 });
    await database.pool.query('truncate outbox');
    expect(await silentSince(60)).toBe(2);
    expect(await connectionFacts()).toEqual([{ status: 'offline', isNew: true, sims: 1 }]);
  });

  it('changes nothing of a SIM that was offline already', async () => {
    await report(90, { status: 'start' });
    await database.pool.query('update sim_live set connection = 3 where sim_id = $1', [sims.ids[0]]);
    await database.pool.query('truncate outbox');
    expect(await silentSince(60)).toBe(1);
    expect(await connectionFacts()).toEqual([{ status: 'offline', isNew: false, sims: 1 }]);
  });
});

describe('the restart of a gateway', () => {
  const restart = (status: 'on' | 'off', minutes: number) =>
    closeGatewaySessions(database.pool, { nas: 'pgw-1', status, at: new Date(noon - minutes * minuteMs) });

  it('closes no session that began in the second of an Accounting-On', async () => {
    await report(30, { status: 'start' });
    expect(await restart('on', 30)).toBe(0);
    expect(await sessions()).toMatchObject([{ cause: null, stoppedAt: null }]);
  });

  it('closes sessions that began in the second of an Accounting-Off', async () => {
    await report(30, { status: 'start' });
    expect(await restart('off', 30)).toBe(1);
    expect(await sessions()).toMatchObject([{ cause: 'NAS-Reboot', stoppedAt: at(30) }]);
  });

  it.each([
    { by: 'by its gateway’s time', hasEventTime: true, tooEarly: 40, later: 29.9 },
    { by: 'more than a minute later, without a time', hasEventTime: false, tooEarly: 29.1, later: 28.9 },
  ])('does not end a session that reports later $by', async ({ hasEventTime, tooEarly, later }) => {
    await report(60, { status: 'start' });
    await restart('on', 30);
    await report(tooEarly, { up: 6, hasEventTime });
    expect(await sessions()).toMatchObject([{ cause: 'NAS-Reboot', stoppedAt: at(30), up: 6 }]);
    await report(later, { up: 7, hasEventTime });
    expect(await sessions()).toMatchObject([{ cause: null, stoppedAt: null, up: 7 }]);
    const { rows } = await database.pool.query('select connection from sim_live where sim_id = $1', [
      sims.ids[0],
    ]);
    expect(rows).toEqual([{ connection: 1 }]);
  });

  it('is followed by new sessions under the same ids within the same second', async () => {
    await report(60, { status: 'start', up: 0 });
    await report(50, { up: 9 });
    await restart('on', 30);
    await report(30, { status: 'start' });
    expect(await sessions()).toMatchObject([{ cause: null, stoppedAt: null, up: 0 }]);
  });
});

describe('a session that a person has reset', () => {
  it('ends with the reset, and is within reach again if its usage grows afterwards', async () => {
    const [simId = 0] = sims.ids;
    await report(60, { status: 'start' });
    await resetSessions(database.pool, [simId], at(30));
    await report(40, { up: 6 });
    await report(29.9, { up: 7 });
    expect(await sessions()).toMatchObject([{ cause: 'Admin-Reset', stoppedAt: at(30), up: 7 }]);
    await database.pool.query('update sims set lifecycle = 30 where id = $1', [simId]);
    expect(await findOverdue(database.pool, [simId], clock.now())).toEqual(new Map());
    await report(29, { up: 8 });
    expect(await sessions()).toMatchObject([{ cause: null, stoppedAt: null, up: 8 }]);
    expect(await findOverdue(database.pool, [simId], clock.now())).toEqual(new Map([[simId, 'disconnect']]));
  });
});
