import { minuteMs } from '@simcube/contract/time';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { sessionUpdate, storeUpdate, testIntake } from '../../../testing/session-updates.ts';
import { sourceOf } from '../../../testing/usage-records.ts';
import { addToPools, pooledUsage } from '../../pool/index.ts';
import { importCdrs, sessionKeyOf, verifyUsage } from '../../usage/index.ts';
import { filedSessions } from '../filed/filed-sessions.service.ts';
import type { Intake } from './intake.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const startedAt = Date.parse('2026-11-21T10:00:00Z');

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
const makeSimOfNewOrganisation = async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into organisations (code, name, country) values (gen_random_uuid(), gen_random_uuid(), 'DE') returning id`,
  );
  sim = await makeSim(database.pool, rows[0]?.id ?? 0);
};
beforeEach(makeSimOfNewOrganisation);

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

const report = (minutes: number): Report => {
  const found = reports.find((one) => one.minutes === minutes);
  if (!found) throw new Error(`No report after ${minutes} minutes`);
  return found;
};

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

/** Each record has the volume since the last report before it in `all`, which the file may lack. */
const byFile = (filed: readonly Report[], gateway = 'pgw-1', all: readonly Report[] = reports) => {
  const lines = filed.map(({ minutes, up, down }) => {
    const before = all.filter((one) => one.minutes < minutes).at(-1) ?? { up: 0, down: 0 };
    const at = new Date(startedAt + minutes * minuteMs).toISOString();
    return [sim.iccid, 'S1', gateway, at, up - before.up, down - before.down, up, down].join(',');
  });
  const header = 'iccid,session_id,gateway,ended_at,up_bytes,down_bytes,session_up_bytes,session_down_bytes';
  return importCdrs({
    countForPools: addToPools,
    sessions: filedSessions,
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

  it('counts once what accounting reported at other times, or did not report', async () => {
    await byRadius([report(5), report(15)]);
    expect(await byFile(reports)).toMatchObject({ accepted: 0, duplicate: 3 });
    expect(await counted()).toMatchObject({ bytes: 1800, used: 1800, summed: 1800 });
  });

  it('counts once what a file reported at other times, or did not report', async () => {
    await byFile([report(5), report(15)], 'pgw-1', [report(5), report(15)]);
    await byRadius(reports);
    expect(await counted()).toEqual({ records: 2, bytes: 1800, used: 1800, summed: 1800 });
  });

  it('counts in the next report what the file added', async () => {
    await byRadius([report(5)]);
    expect(await byFile([report(10)])).toMatchObject({ accepted: 1 });
    await byRadius([{ minutes: 12, up: 200, down: 1500 }, report(15)]);
    expect(await counted()).toMatchObject({ bytes: 1800, used: 1800, summed: 1800 });
  });

  it('counts the records of files by themselves when accounting knows nothing of the session', async () => {
    await byFile([report(15)]);
    expect((await counted()).bytes).toBe(200);
    await byFile([report(10)]);
    expect((await counted()).bytes).toBe(700);
  });

  it('counts a session of the same id that begins after the records of the file', async () => {
    await byFile(reports);
    const facts = { sessionId: 'S1', sessionKey: sessionKeyOf('S1', 'pgw-1'), nas: 'pgw-1' };
    const at = (minutes: number) => ({ imsi: sim.imsi, at: startedAt + minutes * minuteMs });
    await storeUpdate(intake, sessionUpdate(at(30), { ...facts, status: 'start' }));
    await storeUpdate(intake, sessionUpdate(at(35), { ...facts, up: 0, down: 70 }));
    expect((await counted()).bytes).toBe(1870);

    // The former session's last record adds its own volume, and takes nothing from the new one.
    const last = { minutes: 20, up: 300, down: 1700 };
    expect(await byFile([last], 'pgw-1', [...reports, last])).toMatchObject({ accepted: 1 });
    await storeUpdate(intake, sessionUpdate(at(40), { ...facts, up: 0, down: 90 }));
    expect((await counted()).bytes).toBe(2090);
  });

  it('counts late records of a former session of the same id by themselves', async () => {
    const first = { minutes: 10, up: 0, down: 900 };
    const last = { minutes: 20, up: 0, down: 1000 };
    const next = { minutes: 30, up: 0, down: 50 };
    await byFile([first], 'pgw-1', [first]);
    await byFile([next], 'pgw-1', [next]);
    await byFile([last], 'pgw-1', [first, last]);
    expect((await counted()).bytes).toBe(900 + 50 + 100);
    await byFile([{ minutes: 35, up: 0, down: 80 }], 'pgw-1', [next, { minutes: 35, up: 0, down: 80 }]);
    expect((await counted()).bytes).toBe(900 + 80 + 100);
  });

  it('counts the session once, whichever reports are lost and in whatever order the others arrive', async () => {
    const instants = [1, 2, 3, 4, 5];
    const steps = fc.tuple(...instants.map(() => fc.record({ up: fc.nat(50), down: fc.nat(500) })));
    const arrivals = fc.array(
      fc.record({ isFile: fc.boolean(), instants: fc.subarray(instants, { minLength: 1 }) }),
      { minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(steps, arrivals, async (increments, arrivals) => {
        await makeSimOfNewOrganisation();
        let [up, down] = [0, 0];
        const all = increments.map((step, index) => {
          up += step.up;
          down += step.down;
          return { minutes: index + 1, up, down };
        });
        for (const { isFile, instants } of arrivals) {
          const some = instants.flatMap((minutes) => all[minutes - 1] ?? []);
          if (isFile) await byFile(some, 'pgw-1', all);
          else await byRadius(some);
        }
        const last = Math.max(...arrivals.flatMap(({ instants }) => instants));
        const byFiles = arrivals.filter(({ isFile }) => isFile).flatMap(({ instants }) => instants);
        // Files alone say nothing of what the session used before their first record.
        const isFromBeginning = byFiles.length === 0 || arrivals.some(({ isFile }) => !isFile);
        const before = isFromBeginning ? 0 : Math.min(...byFiles) - 1;
        const totalAt = (minutes: number) => {
          const report = all[minutes - 1];
          return report ? report.up + report.down : 0;
        };
        const expected = totalAt(last) - totalAt(before);
        const { bytes, used, summed } = await counted();
        expect([bytes ?? 0, used, summed ?? 0]).toEqual([expected, expected, expected]);
      }),
      { numRuns: 40 },
    );
  });

  it('counts the session once when both arrive at the same time', async () => {
    for (const _ of Array.from({ length: 10 })) {
      await makeSimOfNewOrganisation();
      await Promise.all([byFile(reports), byRadius([report(5), report(15)])]);
      expect(await counted()).toMatchObject({ bytes: 1800, used: 1800, summed: 1800 });
    }
  });

  it('counts twice when another gateway used the same id', async () => {
    await byRadius(reports);
    expect(await byFile(reports, 'pgw-2')).toMatchObject({ accepted: 3 });
    expect((await counted()).records).toBe(6);
  });
});
