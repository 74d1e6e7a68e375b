import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { dropExpired } from './drop-expired.service.ts';

const now = new Date('2026-11-26T12:00:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.pool.query('truncate radius_rejects, filed_sessions');
  await database.pool.query(
    `insert into radius_rejects (at, reason)
     select '2026-10-01T00:00:00Z'::timestamptz, 'unknown' from generate_series(1, 25)
     union all select '2026-11-20T00:00:00Z', 'unknown'`,
  );
  await database.pool.query(
    `insert into filed_sessions
     select i, 1, 0, 0, 1, 1, case when i <= 25 then '2025-09-30T23:59:59Z' else '2025-10-01T00:00:00Z' end::timestamptz
     from generate_series(1, 26) as i`,
  );
});

const left = async () =>
  (
    await database.pool.query(
      'select (select count(*)::int from radius_rejects) as rejects, (select count(*)::int from filed_sessions) as sessions',
    )
  ).rows[0];

describe('the retention of rejects and of sessions from files', () => {
  it('deletes all that have expired, however many', async () => {
    await dropExpired(database.pool, now, { perStatement: 10 });
    expect(await left()).toEqual({ rejects: 1, sessions: 1 });
  });

  it('stops when its job is aborted', async () => {
    await dropExpired(database.pool, now, { perStatement: 10, signal: AbortSignal.abort() });
    expect(await left()).toEqual({ rejects: 26, sessions: 26 });
  });
});
