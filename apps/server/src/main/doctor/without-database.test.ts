import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../../platform/db/index.ts';
import { examineEnv } from '../../platform/env/index.ts';
import { databaseChecks } from './database.checks.ts';
import { runChecks } from './doctor.service.ts';
import { environmentChecks } from './environment.checks.ts';

/** The findings without a database, by check. */
const findings = async (source: NodeJS.ProcessEnv) => {
  const env = examineEnv({ SIMCUBE_ENV_FILE: '', SIMCUBE_DEMO: '0', ...source });
  const { pool, close } = connect({
    url: 'postgres://127.0.0.1:1/none',
    max: 2,
    name: 'nowhere',
    onError: () => undefined,
  });
  const results = await runChecks(
    {
      env,
      pool,
      clock: { now: () => new Date() },
      consumers: [],
      readDisk: async () => ({ free: 2 ** 40, total: 2 ** 40 }),
    },
    { checks: [...databaseChecks, ...environmentChecks] },
  );
  await close();
  return { env, results, found: (name: string) => results.find(({ check }) => check === name) };
};

it('the doctor reports invalid settings without their values, and checks only what does not depend on them', async () => {
  const settings = { DATABASE_URL: 'hush', SIMCUBE_PORT: 'hush', SIMCUBE_SMTP_URL: 'smtp://hush.example' };
  const { env, results, found } = await findings(settings);
  const missing = { name: 'SIMCUBE_MAIL_FROM', problem: 'must be set together with SIMCUBE_SMTP_URL' };
  expect(env.faults).toContainEqual(missing);
  expect(found('settings')).toMatchObject({
    state: 'fail',
    said:
      'Invalid: DATABASE_URL must be a URL such as postgres://user:password@host:5432/database; ' +
      `SIMCUBE_PORT must be a whole number from 0 to 65535; ${missing.name} ${missing.problem}`,
  });
  expect(found('database')).toMatchObject({
    state: 'skipped',
    said: 'Not checked: DATABASE_URL is invalid',
  });
  expect(found('migrations')).toEqual({ ...found('database'), check: 'migrations' });
  expect(found('mail')).toMatchObject({
    state: 'skipped',
    said: 'Not checked: SIMCUBE_MAIL_FROM is invalid',
  });
  expect(found('disk')?.state).toBe('ok');
  expect(JSON.stringify([results, env.settings])).not.toContain('hush');
  expect(env.settings).toContainEqual({ name: 'SIMCUBE_PORT', isSet: true });
});

it.each([
  ['sealing key', { SIMCUBE_SECRET_KEY: '7'.repeat(63) }],
  ['database connections', { SIMCUBE_DB_POOL: '1000' }],
  ['mail', { SIMCUBE_SMTP_URL: 'mx.example' }],
  ['outbound', { SIMCUBE_MAPS_URL: 'maps' }],
])('the doctor says nothing about the %s whose setting is invalid', async (check, settings) => {
  const { found } = await findings(settings);
  const said = `Not checked: ${Object.keys(settings)[0]} is invalid`;
  expect(found(check)).toEqual({ check, state: 'skipped', said });
});

it.each([
  [
    JSON.stringify({ password: 'x', port: 1, owner: 1 }),
    'The embedded database does not run (ECONNREFUSED): nothing in it was checked',
  ],
  ['{"password":"hush', 'database.json in DIRECTORY is damaged: the password of the database is unknown'],
  ['{}', 'database.json in DIRECTORY is damaged: the password of the database is unknown'],
])('the doctor says plainly what is wrong with the embedded database (%s)', async (content, said) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'simcube-doctor-'));
  try {
    await writeFile(join(dataDir, 'database.json'), content);
    const { found } = await findings({ SIMCUBE_DATA_DIR: dataDir });
    expect(found('database')).toMatchObject({ state: 'fail', said: said.replace('DIRECTORY', dataDir) });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
