import { afterAll, beforeAll, expect, it } from 'vitest';
import { operatorActor } from '../../modules/audit/index.ts';
import { examineEnv, UnusableSettings } from '../../platform/env/index.ts';
import { type TestApp, testApp, testPassword } from '../../testing/app.ts';
import type { Installation } from '../doctor/check.ts';
import { databaseChecks } from '../doctor/database.checks.ts';
import { demoPassword, demoPeople } from './demo-catalogue.ts';
import { refusePublishedPasswords } from './published-passwords.ts';

let test: TestApp;
const [first, second] = demoPeople.map(({ email }) => email);

beforeAll(async () => {
  test = await testApp();
  const { pool } = test.database;
  const { identity } = test.wiring;
  for (const { memberships: _, ...person } of demoPeople.slice(0, 2))
    await identity.createUser(pool, { ...person, password: demoPassword });
});
afterAll(() => test.close());

const check = () => refusePublishedPasswords(test.database.pool);
const stateByDoctor = async (SIMCUBE_DEMO = '0') => {
  const env = examineEnv({ SIMCUBE_ENV_FILE: '', SIMCUBE_DEMO });
  const installation = { pool: test.database.pool, env } as Installation;
  const demonstration = databaseChecks.find(({ name }) => name === 'demonstration');
  return (await demonstration?.run(installation))?.state;
};

it('a database of the demonstration is refused while an account has the published password', async () => {
  const { pool } = test.database;
  await check();
  await pool.query(`insert into installation (key, value) values ('demo', 'done')`);
  await expect(check()).rejects.toThrow(UnusableSettings);
  expect([await stateByDoctor(), await stateByDoctor('1')]).toEqual(['fail', 'ok']);
  // An invalid setting is not the demonstration's.
  expect(await stateByDoctor('false')).toBe('fail');
  await expect(check()).rejects.toThrow(`the passwords of ${first}, ${second}. Use another data directory`);
  await test.wiring.identity.setPassword({
    email: String(first),
    password: testPassword,
    actor: operatorActor(),
  });
  await expect(check()).rejects.toThrow(`the passwords of ${second}. `);
  await pool.query('update users set disabled_at = now() where email = $1', [second]);
  await check();
  expect(await stateByDoctor()).toBe('ok');
});
