import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { dropOldSessions } from './old-sessions.service.ts';

/** Sessions are retained for thirteen months before the current one. */
const now = new Date('2026-11-26T12:00:00Z');
const retainedAt = '2025-10-01T00:00:00Z';
const justBefore = '2025-09-30T23:59:59Z';
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('truncate radius_sessions, session_walks');
});

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

/** Records sessions of this many SIMs with the given end; null: still open. */
const record = async (sims: number, stoppedAt: string | null, from = 1): Promise<void> => {
  await query(
    `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id, started_at,
       updated_at, stopped_at, up_bytes, down_bytes)
     select i, 1, 1, 0, 'gw', '10.9.9.9', 'S-' || i, '2025-09-01', '2025-09-02', $3, 3, 4
     from generate_series($1::int, $2::int) as i`,
    [from, from + sims - 1, stoppedAt],
  );
};
const remainingSessions = async (): Promise<number[]> =>
  (await query('select sim_id from radius_sessions order by sim_id')).map((row) => row.sim_id);

describe('retention of RADIUS sessions', () => {
  it('deletes sessions that ended before the retained months, but no later or open ones', async () => {
    await record(1, justBefore);
    await record(1, retainedAt, 2);
    await record(1, null, 3);
    expect(await dropOldSessions(database.pool, now)).toBe(1);
    expect(await remainingSessions()).toEqual([2, 3]);
  });

  it('scans the whole table over several runs, each continuing where the last one ended', async () => {
    await record(300, justBefore);
    await record(300, retainedAt, 301);
    await record(300, justBefore, 601);
    const runs: number[] = [];
    const pages = { perStatement: 2, perRun: 6 };
    const isOver = async () =>
      (await query('select from session_walks where finished_at is not null')).length > 0;
    while (!(await isOver())) runs.push(await dropOldSessions(database.pool, now, pages));
    expect(runs.length).toBeGreaterThan(2);
    expect(runs.reduce((sum, dropped) => sum + dropped, 0)).toBe(600);
    expect(await remainingSessions()).toEqual(Array.from({ length: 300 }, (_, index) => 301 + index));
  });

  it('scans the table once a month, from its beginning', async () => {
    await record(1, '2025-10-15T00:00:00Z');
    expect(await dropOldSessions(database.pool, now)).toBe(0);
    await record(1, justBefore, 2);
    expect(await dropOldSessions(database.pool, now)).toBe(0);
    expect(await dropOldSessions(database.pool, new Date('2026-12-01T00:17:00Z'))).toBe(2);
    expect(await query('select before from session_walks')).toEqual([
      { before: new Date('2025-11-01T00:00:00Z') },
    ]);
  });
});
