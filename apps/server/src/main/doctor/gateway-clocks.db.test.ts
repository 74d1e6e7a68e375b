import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../platform/db/index.ts';
import { readEnv } from '../../platform/env/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { environmentChecks } from './environment.checks.ts';

let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('the doctor reports gateways whose clock is wrong by more than a minute', async () => {
  const { pool } = database;
  const findingOf = async (lags: Record<string, number>) => {
    await pool.query('delete from radius_clocks');
    await pool.query(
      `insert into radius_clocks (gateway, nas, lag_ms, measured_at)
       select 'paris-1', key, value::bigint, now() from jsonb_each_text($1)`,
      [lags],
    );
    return environmentChecks
      .find(({ name }) => name === 'gateway clocks')
      ?.run({
        env: readEnv({ SIMCUBE_ENV_FILE: '' }),
        pool,
        clock: { now: () => new Date() },
        consumers: [],
        readDisk: async () => ({ free: 1, total: 1 }),
      });
  };
  expect(await findingOf({})).toMatchObject({ state: 'skipped' });
  expect(await findingOf({ 'pgw-a': 60_000, 'pgw-b': -60_000 })).toEqual({
    state: 'ok',
    said: 'The clocks of all gateways that report their time (2) are right to a minute',
  });
  expect(await findingOf({ 'pgw-a': 3_600_400, 'pgw-b': -90_000, 'pgw-c': 300 })).toMatchObject({
    state: 'warn',
    said: expect.stringMatching(/: paris-1 \(pgw-a\): 3600 s behind, paris-1 \(pgw-b\): 90 s ahead$/),
  });
});
