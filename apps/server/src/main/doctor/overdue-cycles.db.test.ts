import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEnv } from '../../platform/env/index.ts';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { workChecks } from './work.checks.ts';

let test: TestApp;

beforeAll(async () => {
  test = await testApp();
});
afterAll(() => test.close());

it('the doctor reports SIMs whose cycle ended more than an hour ago and was not processed', async () => {
  const { pool } = test.database;
  const acme = await makeOrganisation(test, { code: 'acme' });
  const { id } = await makeSim(pool, acme.id, { lifecycle: 'active' });
  const findingAfter = async (minutes: number) => {
    await pool.query(
      `update sim_live set cycle_started_at = now() - interval '1 day',
         cycle_ends_at = now() - make_interval(mins => $2) where sim_id = $1`,
      [id, minutes],
    );
    return workChecks
      .find(({ name }) => name === 'cycles')
      ?.run({
        env: readEnv({ SIMCUBE_ENV_FILE: '' }),
        pool,
        clock: { now: () => new Date() },
        consumers: [],
        readDisk: async () => ({ free: 1, total: 1 }),
      });
  };
  expect(await findingAfter(50)).toMatchObject({ state: 'ok' });
  expect(await findingAfter(70)).toMatchObject({
    state: 'fail',
    said: expect.stringContaining('has not been processed: 1.'),
  });
});
