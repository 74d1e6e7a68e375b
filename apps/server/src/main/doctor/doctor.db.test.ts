import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { connect, createListener, type Listener, refuseReadOnly } from '../../platform/db/index.ts';
import { readEnv } from '../../platform/env/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { keyRingOf } from '../../platform/secrets/index.ts';
import { type TestApp, testApp } from '../../testing/app.ts';
import { testDatabase } from '../../testing/database.ts';
import type { Check, Installation } from './check.ts';
import { type CheckResult, exitCodeOf, runChecks } from './doctor.service.ts';

const gib = 2 ** 30;
const key = '07'.repeat(32);
let test: TestApp;

beforeAll(async () => {
  test = await testApp();
});
afterAll(() => test.close());

const installation = (more: Partial<Installation> = {}, settings: NodeJS.ProcessEnv = {}): Installation => ({
  env: readEnv({
    SIMCUBE_ENV_FILE: '',
    SIMCUBE_DEMO: '1',
    SIMCUBE_SECRET_KEY: key,
    SIMCUBE_PUBLIC_URL: 'https://sims.example',
    SIMCUBE_TRUST_PROXY: '1',
    // Its start page exists without a build.
    SIMCUBE_WEB_DIR: 'apps/web',
    ...settings,
  }),
  pool: test.database.pool,
  clock: { now: () => new Date() },
  consumers: test.wiring.consumers,
  readDisk: async () => ({ free: 50 * gib, total: 100 * gib }),
  ...more,
});
/** The lock of the only worker with connections to SMSCs. */
const smsLease = 0x534d53;
const isCluster = inject('databaseServers').length > 1;
const stateOf = (results: readonly CheckResult[], check: string) =>
  results.find((one) => one.check === check)?.state;
const sentenceOf = (results: readonly CheckResult[], check: string) =>
  results.find((one) => one.check === check)?.said;
const query = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);

describe('the doctor', () => {
  beforeEach(async () => {
    await query('delete from dead_lettered_jobs');
    await query('delete from smsc_connections');
    await query('delete from radius_clients');
    await query('delete from outbox_cursors');
    await query(`delete from installation where key = 'demo'`);
  });

  it('passes a sound installation, except for what is not set up', async () => {
    const isDurable = (await query('show fsync')).rows[0].fsync === 'on';
    const results = await runChecks(installation());
    expect(Object.fromEntries(results.map(({ check, state }) => [check, state]))).toEqual({
      database: 'ok',
      'database connections': 'ok',
      durability: isDurable ? 'ok' : 'warn',
      migrations: 'ok',
      partitions: 'ok',
      clock: 'ok',
      'sealing key': 'ok',
      'business days': 'skipped',
      demonstration: 'skipped',
      settings: 'ok',
      console: 'ok',
      disk: 'ok',
      archive: 'skipped',
      gateways: 'warn',
      'gateway clocks': 'skipped',
      SMSC: 'skipped',
      mail: 'skipped',
      outbound: 'skipped',
      servers: 'skipped',
      outbox: 'ok',
      jobs: 'ok',
      cycles: 'ok',
      histories: isCluster ? 'ok' : 'skipped',
    });
    expect(sentenceOf(results, 'gateways')).toBe('No gateway may send RADIUS packets');
    expect(exitCodeOf(results)).toBe(1);
  });

  it('reports a role that no server has, with the consequences', async () => {
    const database = await testDatabase();
    const log = createLog({ level: 'silent', format: 'json' });
    const listeners: Listener[] = [];
    const start = async (roles: string[]) => {
      const listener = createListener(database.url, log, roles);
      listeners.push(listener);
      await listener.on('one', () => undefined);
    };
    const said = async () => sentenceOf(await runChecks(installation({ pool: database.pool })), 'servers');
    try {
      expect(await said()).toBe('No server is connected to the database');
      await start(['web']);
      expect(await said()).toBe(
        'No server has the role worker: nothing is disconnected, sent or billed, and tasks are not run; nor aaa: gateways receive no responses',
      );
      await start(['worker', 'aaa']);
      expect(await said()).toBe('All roles have a server; servers connected: 2');
      await start([]);
      expect(await said()).toBe('A server of an older version is running, which does not report its roles');
    } finally {
      for (const listener of listeners) await listener.close();
      await database.close();
    }
  });

  it('reports the demonstration where it does not belong', async () => {
    const found = async (settings: NodeJS.ProcessEnv) => {
      const results = await runChecks(installation({}, { SIMCUBE_PUBLIC_URL: '', ...settings }));
      return stateOf(results, 'demonstration');
    };
    expect(await found({ SIMCUBE_DEMO: '0' })).toBe('ok');
    await query(`insert into installation (key, value) values ('demo', 'done')`);
    expect(await found({ SIMCUBE_DEMO: '0' })).toBe('ok');
    expect(await found({})).toBe('ok');
    expect(await found({ SIMCUBE_HOST: '0.0.0.0' })).toBe('warn');
    expect(await found({ SIMCUBE_PUBLIC_URL: 'https://sims.example' })).toBe('warn');
  });

  it.each([
    ['fail', 'SIMCUBE_DEMO', 'SIMCUBE_PUBLIC_URL is set, but SIMCUBE_DEMO is not'],
    ['warn', 'SIMCUBE_TRUST_PROXY', 'SIMCUBE_TRUST_PROXY is 0'],
  ])('says %s if %s is missing', async (state, name, said) => {
    const results = await runChecks(installation({}, { [name]: '' }));
    expect(stateOf(results, 'settings')).toBe(state);
    expect(sentenceOf(results, 'settings')).toContain(said);
  });

  it('recognises a new database', async () => {
    await query('create database not_made_yet');
    const url = new URL(test.database.url);
    url.pathname = '/not_made_yet';
    const { pool, close } = connect({ url: url.href, max: 2, name: 'new', onError: () => undefined });
    try {
      const results = await runChecks(installation({ pool }));
      expect(results.filter(({ state }) => state === 'fail')).toEqual([]);
      expect(sentenceOf(results, 'partitions')).toBe(
        'There are no tables yet: the first start of a server creates them',
      );
      expect(sentenceOf(results, 'gateways')).toBe(
        'Its table does not exist yet: a server creates it when it starts',
      );
    } finally {
      await close();
      await query('drop database not_made_yet');
    }
  });

  it('reports a gateway without sessions for an hour', async () => {
    await query(
      `insert into radius_clients (name, network, sealed_secret, require_message_authenticator, coa_port)
       values ('pgw', '10.0.0.0/8', '', true, 3799)`,
    );
    const results = await runChecks(installation());
    expect(sentenceOf(results, 'gateways')).toBe('No session was reported within an hour by pgw');
  });

  it('gives a fix for each problem, and none for passed checks', async () => {
    const results = await runChecks(installation());
    for (const { state, mend, check } of results)
      expect(mend === undefined, check).toBe(state === 'ok' || state === 'skipped');
  });

  it('runs the other checks when the database is unreachable', async () => {
    const { pool, close } = connect({
      url: 'postgres://127.0.0.1:1/none',
      max: 2,
      name: 'nowhere',
      onError: () => undefined,
    });
    const results = await runChecks(installation({ pool }, { DATABASE_URL: 'postgres://127.0.0.1:1/none' }));
    await close();
    expect([stateOf(results, 'database'), stateOf(results, 'disk')]).toEqual(['fail', 'ok']);
    expect(sentenceOf(results, 'database')).toBe('The database does not answer (ECONNREFUSED)');
    expect(sentenceOf(results, 'migrations')).toBe('The database does not answer');
    expect(exitCodeOf(results)).toBe(2);
  });

  it('reports why there is no database, and the fix', async () => {
    const sentenceAndFix = async (url: string, settings: NodeJS.ProcessEnv) => {
      const { pool, close } = connect({ url, max: 2, name: 'nowhere', onError: () => undefined });
      const results = await runChecks(installation({ pool }, settings));
      await close();
      const { said, mend } = results.find(({ check }) => check === 'database') ?? {};
      return [said, mend];
    };
    const other = new URL(test.database.url);
    other.pathname = '/none_of_this_name';
    const DATABASE_URL = other.href;
    expect(await sentenceAndFix(DATABASE_URL, { DATABASE_URL })).toEqual([
      'The database server has no database of this name (3D000)',
      'Correct DATABASE_URL',
    ]);
    expect(await sentenceAndFix('postgres://127.0.0.1:1/none', { SIMCUBE_DATA_DIR: '/nowhere' })).toEqual([
      'There is no database in /nowhere, and DATABASE_URL is not set',
      'Set DATABASE_URL, or SIMCUBE_DATA_DIR to the data directory; the first start of a server creates one',
    ]);
  });

  it('reports a read-only database', async () => {
    const { url } = test.database;
    const onlyRead = new URL(url);
    onlyRead.searchParams.set('options', '-c default_transaction_read_only=on');
    const pool = new pg.Pool({ connectionString: onlyRead.href, max: 2, onConnect: refuseReadOnly });
    const results = await runChecks(installation({ pool }));
    await pool.end();
    expect([stateOf(results, 'database'), sentenceOf(results, 'database')]).toEqual([
      'fail',
      'The database is read-only',
    ]);
  });

  it('skips a check that times out or throws, and runs the others', async () => {
    const slow: Check = { name: 'slow', needsDatabase: false, run: () => new Promise(() => undefined) };
    const broken: Check = { ...slow, name: 'broken', run: () => Promise.reject(new Error('no such thing')) };
    const quick: Check = { ...slow, name: 'quick', run: async () => ({ state: 'ok', said: 'Well' }) };
    const results = await runChecks(installation(), { checks: [slow, broken, quick], limitMs: 50 });
    expect(results.map(({ state, said }) => [state, said])).toEqual([
      ['skipped', 'The check failed (no answer within 0.05 s)'],
      ['skipped', 'The check failed (no such thing)'],
      ['ok', 'Well'],
    ]);
  });

  it('warns about a clock that is seconds off, and fails if it is minutes off', async () => {
    const off = (ms: number) =>
      runChecks(installation({ clock: { now: () => new Date(Date.now() + ms) } })).then((results) =>
        stateOf(results, 'clock'),
      );
    expect([await off(5_000), await off(-90_000)]).toEqual(['warn', 'fail']);
  });

  it('reports a missing console only if the roles serve one', async () => {
    const without = { SIMCUBE_WEB_DIR: '/nowhere' };
    const served = async (settings: NodeJS.ProcessEnv) =>
      stateOf(await runChecks(installation({}, settings)), 'console');
    expect(await served(without)).toBe('fail');
    expect(await served({ ...without, SIMCUBE_ROLES: 'worker,aaa' })).toBe('skipped');
  });

  it('warns at 10% free disk space, and fails at 4%', async () => {
    const free = (share: number) =>
      runChecks(installation({ readDisk: async () => ({ free: share * 100 * gib, total: 100 * gib }) })).then(
        (results) => stateOf(results, 'disk'),
      );
    expect([await free(0.1), await free(0.04)]).toEqual(['warn', 'fail']);
  });

  it('reports an archive directory that is not writable', async () => {
    const results = async (SIMCUBE_ARCHIVE_DIR: string) => {
      const all = await runChecks(installation({}, { SIMCUBE_ARCHIVE_DIR }));
      return [stateOf(all, 'archive'), sentenceOf(all, 'archive')];
    };
    const directory = tmpdir();
    const said = (path: string) =>
      `The user of this command can write months past their retention to ${path}`;
    expect(await results(directory)).toEqual(['ok', said(directory)]);
    // The directory is created with the first file.
    expect(await results(join(directory, 'not', 'yet'))).toEqual(['ok', said(join(directory, 'not', 'yet'))]);
    const file = fileURLToPath(import.meta.url);
    for (const path of [file, join(file, 'below')])
      expect(await results(path)).toEqual(['fail', expect.stringContaining('(ENOTDIR): they stay')]);
  });

  it('reports a setting that would move business days', async () => {
    await query(`insert into installation (key, value) values ('day-offset', '1')`);
    try {
      const results = await runChecks(installation({}, { SIMCUBE_DAY_OFFSET: '+2' }));
      expect([stateOf(results, 'business days'), sentenceOf(results, 'business days')]).toEqual([
        ...['fail', expect.stringContaining('end at UTC+1, and its usage')],
      ]);
      expect(sentenceOf(await runChecks(installation()), 'business days')).toBe(
        'Business days end at 23:59:59 UTC+1',
      );
    } finally {
      await query(`delete from installation where key = 'day-offset'`);
    }
  });

  it('reports unknown settings, without their values', async () => {
    const misspelt = { SIMCUBE_DATA_DIRR: 'hush', SIMCUBE_PROT: 'hush' };
    const results = await runChecks(installation({}, misspelt));
    expect(sentenceOf(results, 'settings')).toBe(
      'SIMCUBE_DATA_DIRR is not a setting of SimCube: did you mean SIMCUBE_DATA_DIR?; ' +
        'SIMCUBE_PROT is not a setting of SimCube: did you mean SIMCUBE_PORT?',
    );
    expect(JSON.stringify(results)).not.toContain('hush');
  });

  it('does not store the sealing key’s check value', async () => {
    expect(stateOf(await runChecks(installation()), 'sealing key')).toBe('ok');
    expect((await query(`select key from installation where key = 'sealing_key_check'`)).rows).toEqual([]);
  });

  it('reports a wrong sealing key', async () => {
    await query(`insert into installation (key, value) values ('sealing_key_check', $1)`, [
      keyRingOf(Buffer.from(key, 'hex')).check,
    ]);
    expect(stateOf(await runChecks(installation()), 'sealing key')).toBe('ok');
    const results = await runChecks(installation({}, { SIMCUBE_SECRET_KEY: '08'.repeat(32) }));
    expect(stateOf(results, 'sealing key')).toBe('fail');
    expect(JSON.stringify(results)).not.toContain('0808');
  });

  it('reports missing partitions and unknown or missing migrations', async () => {
    const later = await runChecks(installation({ clock: { now: () => new Date('2031-01-01T00:00:00Z') } }));
    expect(sentenceOf(later, 'partitions')).toBe('There is no partition for new records: cdrs 2031-01');
    await query(`insert into schema_migrations (name, checksum) values ('9999_later.sql', '')`);
    const newer = await runChecks(installation());
    await query(`delete from schema_migrations where name = '9999_later.sql'`);
    expect(stateOf(newer, 'migrations')).toBe('fail');
    await query(`update schema_migrations set name = 'x' || name where name like '0001%'`);
    const both = await runChecks(installation());
    await query(`update schema_migrations set name = substr(name, 2) where name like 'x%'`);
    expect(stateOf(both, 'migrations')).toBe('fail');
  });

  it('reports a lost SMSC connection and dead-lettered jobs', async () => {
    await query(
      `insert into smsc_connections (name, host, port, tls, bind, system_id, system_type, sealed_password, priority, window_size, state, state_error)
       values ('main', 'smsc.example', 2775, false, 'transceiver', 'us', '', '', 1, 10, 'lost', 'connect-failed')`,
    );
    await query(
      `insert into dead_lettered_jobs (id, name, payload, max_attempts, attempts, error, queued_at)
       values (1, 'sms.send', '{}', 1, 1, 'broken', now())`,
    );
    const results = await runChecks(installation());
    expect(sentenceOf(results, 'SMSC')).toBe('No connection to an SMSC is bound: main (connect-failed)');
    expect([stateOf(results, 'SMSC'), stateOf(results, 'jobs')]).toEqual(['fail', 'warn']);
  });

  it.each([
    ['receiver', 'fail', 'No connection that sends to an SMSC is bound'],
    ['transmitter', 'warn', 'No connection that receives from an SMSC is bound'],
  ])('reports that all bound SMSC connections are %ss', async (bind, state, said) => {
    const add = (name: string, kind: string, bound: string) =>
      query(
        `insert into smsc_connections (name, host, port, tls, bind, system_id, system_type, sealed_password, priority, window_size, state, state_error)
         values ('${name}', 'smsc.example', 2775, false, '${kind}', 'us', '', '', 1, 10, '${bound}', nullif('${bound}', 'bound'))`,
      );
    await add('main', bind, 'bound');
    // Of a worker that was killed and could not sign off.
    expect(sentenceOf(await runChecks(installation()), 'SMSC')).toBe(
      'No connection to an SMSC is bound: main (no-worker)',
    );
    const worker = await test.database.pool.connect();
    await worker.query('select pg_advisory_lock($1)', [smsLease]);
    const alone = await runChecks(installation());
    await add('lost', 'transceiver', 'waiting');
    const withLost = await runChecks(installation());
    expect([stateOf(alone, 'SMSC'), sentenceOf(alone, 'SMSC')]).toEqual([state, said]);
    expect([stateOf(withLost, 'SMSC'), sentenceOf(withLost, 'SMSC')]).toEqual([
      ...[state, `${said}: lost (waiting)`],
    ]);
    worker.release(true);
  });

  if (isCluster) {
    it('reports histories that a node has not received', async () => {
      await query(
        `insert into unwritten_histories (recorded_at, sim_ids, content) values (now() - interval '2 minutes', '{1}', '')`,
      );
      const results = await runChecks(installation());
      expect(stateOf(results, 'histories')).toBe('fail');
      await query('delete from unwritten_histories');
    });
  }

  it('reports an unreachable mail server, without its password', async () => {
    const results = await runChecks(
      installation(
        {},
        { SIMCUBE_SMTP_URL: 'smtp://us:s3cret@127.0.0.1:1', SIMCUBE_MAIL_FROM: 'a@b.example' },
      ),
    );
    expect([stateOf(results, 'mail'), sentenceOf(results, 'mail')]).toEqual([
      'fail',
      'The mail server can’t be used (ESOCKET: ECONNREFUSED)',
    ]);
    expect(JSON.stringify(results)).not.toContain('s3cret');
  });

  it('reports an unreachable maps service', async () => {
    const results = await runChecks(installation({}, { SIMCUBE_MAPS_URL: 'http://127.0.0.1:9' }));
    expect(sentenceOf(results, 'outbound')).toBe('The maps service can’t be reached (address)');
  });
});
