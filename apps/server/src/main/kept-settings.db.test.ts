import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../testing/app.ts';
import { commandLine } from '../testing/command-line.ts';

let test: TestApp;
let directory: string;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  directory = await mkdtemp(join(tmpdir(), 'simcube-kept-'));
  simcube = commandLine(test, directory);
});
afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true });
});

const first = async (area: string): Promise<unknown> => {
  const { out } = await simcube.run([area, 'list', '--json']);
  return (JSON.parse(out) as unknown[])[0];
};
const add = (args: string[], stdin: string) =>
  simcube.run([...args, args[0] === 'smsc' ? '--password-stdin' : '--secret-stdin'], { stdin: `${stdin}\n` });

describe('setting a new secret', () => {
  it('keeps all other settings of a gateway', async () => {
    const settings = ['--network', '192.0.2.0/28', '--coa-host', '192.0.2.9', '--coa-port', '3800'];
    const more = [
      '--interim',
      '600',
      '--rate-attribute',
      'Mikrotik-Rate-Limit',
      '--no-message-authenticator',
    ];
    await add(['gateways', 'add', 'paris-1', ...settings, ...more], 'the first secret');
    const before = await first('gateways');
    expect(before).toMatchObject({ coa_host: '192.0.2.9', coa_port: 3800, interim_seconds: 600 });

    expect(await add(['gateways', 'add', 'paris-1'], 'another secret')).toMatchObject({ failed: false });
    expect(await first('gateways')).toEqual(before);
    const { rows } = await test.database.pool.query<{ after: unknown }>(
      `select after from audit_entries where action = 'gateway.changed'`,
    );
    expect(rows.map(({ after }) => after)).toEqual([{ shared_secret_set: true }]);

    await add(['gateways', 'add', 'paris-1', '--no-coa-host', '--message-authenticator'], 'another secret');
    expect(await first('gateways')).toEqual({
      ...(before as object),
      coa_host: null,
      require_message_authenticator: true,
    });
  });

  it('keeps the secret of a gateway if none is given, and says so', async () => {
    const { pool } = test.database;
    const sealed = async () =>
      (await pool.query(`select sealed_secret from radius_clients where name = 'kept-1'`)).rows[0]
        ?.sealed_secret;
    const network = ['gateways', 'add', 'kept-1', '--network', '198.51.100.0/28'];
    expect((await simcube.run(network, { stdin: '' })).errors).toContain('a new one needs a shared secret');
    expect((await add(network, 'the first secret')).out).toContain('198.51.100.0/28, shared secret set');
    const before = await sealed();

    const changed = await simcube.run(['gateways', 'add', 'kept-1', '--interim', '600'], {
      stdin: 'simcube sims list ACME\n',
    });
    expect(changed.out).toContain('198.51.100.0/28, shared secret unchanged');
    expect(await sealed()).toEqual(before);
    const { out } = await add(['gateways', 'add', 'kept-1', '--json'], 'the second secret');
    expect(JSON.parse(out)).toMatchObject({ interim_seconds: 600, secret_changed: true });
    expect(await sealed()).not.toEqual(before);
  });

  it('refuses an interval of interim updates below 60 seconds (RFC 2869, 5.16)', async () => {
    const { failed, errors } = await simcube.run(['gateways', 'add', 'kept-1', '--interim', '59'], {
      stdin: '',
    });
    expect({ failed, errors }).toEqual({ failed: true, errors: expect.stringContaining('at least 60') });
  });

  it('keeps all other settings of an SMSC connection', async () => {
    const settings = ['--host', 'smsc.example.net', '--port', '2776', '--system-id', 'cube', '--tls'];
    const more = ['--sender', '34900', '--rate', '20', '--priority', '3', '--bind', 'transmitter'];
    more.push('--default-alphabet', 'latin1', '--service-type', 'CMT', '--source-ton', '2');
    await add(['smsc', 'add', 'madrid-1', ...settings, ...more], 'first');
    const before = await first('smsc');
    expect(before).toMatchObject({
      port: 2776,
      tls: true,
      sender: '34900',
      rate_per_second: 20,
      default_alphabet: 'latin1',
      service_type: 'CMT',
      source_ton: 2,
      source_npi: null,
    });

    expect(await add(['smsc', 'add', 'madrid-1'], 'second')).toMatchObject({ failed: false });
    expect(await first('smsc')).toEqual(before);
    await add(['smsc', 'add', 'madrid-1', '--no-tls', '--no-sender', '--no-rate'], 'second');
    expect(await first('smsc')).toEqual({
      ...(before as object),
      tls: false,
      sender: null,
      rate_per_second: null,
    });
  });

  it('keeps the password of an SMSC connection if none is given, and removes it on request', async () => {
    const { pool } = test.database;
    const sealed = async () =>
      (
        await pool.query<{ password: Buffer }>(
          `select sealed_password as password from smsc_connections where name = 'kept-1'`,
        )
      ).rows[0]?.password;
    const changes = async () =>
      (
        await pool.query<{ after: object }>(
          `select after from audit_entries where action = 'smsc.changed' and subject_name = 'kept-1' order by number`,
        )
      ).rows.map(({ after }) => 'password_set' in after);
    await add(['smsc', 'add', 'kept-1', '--host', '192.0.2.7', '--system-id', 'cube'], 'secret');
    const before = await sealed();

    await simcube.run(['smsc', 'add', 'kept-1', '--rate', '50'], { stdin: 'echo ok\n' });
    expect(await sealed()).toEqual(before);
    await simcube.run(['smsc', 'add', 'kept-1', '--no-password'], { stdin: '' });
    expect(await sealed()).not.toEqual(before);
    expect(await changes()).toEqual([false, true]);
  });

  it('names the missing settings of a new one', async () => {
    expect((await add(['gateways', 'add', 'new'], 'a secret')).errors).toContain('--network');
    expect((await add(['smsc', 'add', 'new', '--host', '192.0.2.1'], 'secret')).errors).toContain(
      '--system-id',
    );
    const smsc = ['smsc', 'add', 'new', '--host', '192.0.2.1', '--system-id', 'cube'];
    expect((await simcube.run(smsc, { stdin: 'secret' })).errors).toContain('--password-stdin');
  });
});
