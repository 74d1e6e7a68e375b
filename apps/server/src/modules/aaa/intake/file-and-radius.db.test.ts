import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { sourceOf } from '../../../testing/usage-records.ts';
import { addToPools, pooledUsage } from '../../pool/index.ts';
import { importCdrs, sessionKeyOf, verifyUsage } from '../../usage/index.ts';
import type { Intake } from './intake.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const startedAt = Date.parse('2026-11-21T10:00:00Z');
const minuteMs = 60_000;

let database: Database;
let intake: Intake;
let sim: { id: number; iccid: string; imsi: string };

beforeAll(async () => {
  database = await testDatabase();
  intake = await testIntake(database, clock);
});
afterAll(async () => {
  await intake.stop();
  await database.close();
});
beforeEach(async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organisations (code, name, country) values (gen_random_uuid(), gen_random_uuid(), 'DE') returning id`,
  );
  sim = await makeSim(database.pool, rows[0]?.id ?? 0);
});

/** Cumulative figures of a session, some minutes after its start. */
interface Report {
  minutes: number;
  up: number;
  down: number;
}
const reports: readonly Report[] = [
  { minutes: 5, up: 100, down: 1000 },
  { minutes: 10, up: 100, down: 1500 },
  { minutes: 15, up: 300, down: 1500 },
];

const byRadius = async (reports: readonly Report[]) => {
  for (const { minutes, up, down } of reports) {
    const facts = { sessionId: 'S1', sessionKey: sessionKeyOf('S1', 'pgw-1'), nas: 'pgw-1', up, down };
    const outcome = await storeUpdate(
      intake,
      sessionUpdate({ imsi: sim.imsi, at: startedAt + minutes * minuteMs }, facts),
    );
    expect(outcome).toBe('stored');
  }
};

const byFile = (reports: readonly Report[], gateway = 'pgw-1') => {
  const lines = reports.map(({ minutes, up, down }) => {
    const before = reports.filter((one) => one.minutes < minutes).at(-1) ?? { up: 0, down: 0 };
    const at = new Date(startedAt + minutes * minuteMs).toISOString();
    return [sim.iccid, 'S1', gateway, at, up - before.up, down - before.down, up, down].join(',');
  });
  const header = 'iccid,session_id,gateway,ended_at,up_bytes,down_bytes,session_up_bytes,session_down_bytes';
  return importCdrs({
    countForPools: addToPools,
    pool: database.pool,
    clock,
    source: sourceOf([header, ...lines].join('\n')),
  });
};

const counted = async () => {
  const { rows } = await database.pool.query(
    `select (select count(*)::integer from cdrs where sim_id = $1) as records,
       (select sum(up_bytes + down_bytes)::integer from cdrs where sim_id = $1) as bytes,
       (select used_bytes::integer from sim_live where sim_id = $1) as used,
       (select sum(up_bytes + down_bytes)::integer from org_usage_hourly o join sims s on s.org_id = o.org_id where s.id = $1)
         as summed`,
    [sim.id],
  );
  return rows[0];
};
const once = { records: 3, bytes: 1800, used: 1800, summed: 1800 };

describe('the same session, reported by RADIUS and by a file', () => {
  it('counts once when the file comes later', async () => {
    await byRadius(reports);
    expect(await byFile(reports)).toMatchObject({ accepted: 0, duplicate: 3 });
    expect(await counted()).toEqual(once);
  });

  it('counts once when RADIUS comes later', async () => {
    expect(await byFile(reports)).toMatchObject({ accepted: 3, duplicate: 0 });
    await byRadius(reports);
    expect(await counted()).toEqual(once);
    const { rows } = await database.pool.query(
      'select up_bytes, down_bytes from radius_sessions where sim_id = $1',
      [sim.id],
    );
    expect(rows).toEqual([{ up_bytes: 300, down_bytes: 1500 }]);
  });

  it('counts usage that only one of them reports', async () => {
    await byRadius(reports.slice(0, 1));
    await byFile(reports.slice(0, 2));
    await byRadius(reports.slice(1));
    expect(await counted()).toEqual(once);
    const verified = await verifyUsage({
      pool: database.pool,
      pooledUsage,
      now: clock.now(),
      onDifference: () => undefined,
    });
    expect(verified.differing).toBe(0);
  });

  it('counts twice when another gateway used the same id', async () => {
    await byRadius(reports);
    expect(await byFile(reports, 'pgw-2')).toMatchObject({ accepted: 3 });
    expect((await counted()).records).toBe(6);
  });
});
