import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { testDatabase } from '../testing/database.ts';
import { mainPath, runMain } from '../testing/run-program.ts';

let database: Database;
let directory: string;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simcube-cli-'));
  return () => rm(directory, { recursive: true, force: true });
});

const simcube = (env: Record<string, string>, ...args: string[]) => runMain('cli', { env, args });

describe('the command line', () => {
  it('never creates a database; without one, it names the missing setting', async () => {
    const dataDir = join(directory, 'data');
    const { code, out, errors } = await simcube({ SIMCUBE_DATA_DIR: dataDir }, 'orgs', 'list');
    expect({ code, out }).toEqual({ code: 78, out: '' });
    expect(errors).toMatch(
      new RegExp(
        `^There is no SimCube database in ${dataDir}, and DATABASE_URL is not set\\. Set DATABASE_URL, or SIMCUBE_DATA_DIR`,
      ),
    );
    expect(await readdir(directory)).toEqual([]);
  });

  it('reads settings from the environment file and warns about unknown ones', async () => {
    const file = join(directory, 'simcube.env');
    await writeFile(file, `DATABASE_URL=${database.url}\nSIMCUBE_DATADIR=${directory}\n`);
    await chmod(file, 0o600);
    const { code, out, errors } = await simcube({ SIMCUBE_ENV_FILE: file }, 'orgs', 'list', '--json');
    expect({ code, out }).toEqual({ code: 0, out: '[]\n' });
    expect(errors).toBe('SIMCUBE_DATADIR is not a setting of SimCube: did you mean SIMCUBE_DATA_DIR?\n');
  });

  it('needs the sealing key only for commands that use it', async () => {
    const env = { DATABASE_URL: database.url, SIMCUBE_DATA_DIR: directory };
    const made = await simcube(env, 'orgs', 'create', 'northwind', '--name', 'Northwind', '--country', 'GB');
    expect(made).toMatchObject({ code: 0, errors: '' });
    for (const args of [
      ['secrets', 'check'],
      ['secrets', 'rotate'],
    ]) {
      const { code, errors } = await simcube(env, ...args);
      expect({ code, errors }).toEqual({
        code: 78,
        errors: expect.stringMatching(/^There is no sealing key yet: /),
      });
    }
    expect(await readdir(directory)).toEqual([]);
  });

  it('exits with 1 when lines of a file are rejected, but imports the others', async () => {
    const env = { DATABASE_URL: database.url, SIMCUBE_DATA_DIR: directory };
    const file = (name: string, text: string) => {
      const path = join(directory, name);
      return writeFile(path, text).then(() => path);
    };
    const cells = await file('cells.csv', 'cell,latitude,longitude\na,1,1\nb,91,1\n');
    const cdrs = await file(
      'cdrs.csv',
      'iccid,ended_at,up_bytes,down_bytes\n89340710000000000001,2026-11-20T10:00:00Z,1,1\n',
    );
    const sims = await file(
      'sims.csv',
      'iccid,imsi,organisation_code\n8934071234567890123,214071234567890,none\n',
    );
    const whole = await file('whole.csv', 'cell,latitude,longitude\na,1,1\n');
    const codes = [];
    for (const [area, path] of [
      ['cells', cells],
      ['cdrs', cdrs],
      ['sims', sims],
      ['cells', whole],
    ] as const)
      codes.push((await simcube(env, area, 'import', path)).code);
    expect(codes).toEqual([1, 1, 1, 0]);
    expect((await database.pool.query('select cell from cells')).rows).toEqual([{ cell: 'a' }]);
  });

  it.runIf(process.platform === 'linux')(
    'fails when stdout can’t be written, but not when the reader closes the pipe',
    async () => {
      const capacity = `'${process.execPath}' '${mainPath('cli')}' capacity --sims 1000 --interim 300`;
      const run = (command: string) =>
        new Promise<{ code: unknown; errors: string }>((resolve) =>
          execFile('bash', ['-c', command], (error, _, errors) =>
            resolve({ code: error?.code ?? 0, errors }),
          ),
        );
      expect(await run(`${capacity} > /dev/full`)).toEqual({
        code: 1,
        errors: "The output can't be written (ENOSPC)\n",
      });
      expect(await run(`set -o pipefail; ${capacity} | true`)).toEqual({ code: 0, errors: '' });
    },
  );

  it('hashes passwords with production parameters, and closes the invitation of a superadmin', async () => {
    const env = {
      DATABASE_URL: database.url,
      SIMCUBE_DATA_DIR: directory,
      SIMCUBE_SECRET_KEY: 'ab'.repeat(32),
    };
    await simcube(env, 'orgs', 'create', 'eastwind', '--name', 'Eastwind', '--country', 'GB');
    await database.pool.query(
      `insert into invitations (org_id, email, locale, role, token_hash, expires_at)
       select id, 'Boss@example.com', 'en-US', 'user', 'hash', now() + interval '7 days' from organisations
       where code = 'eastwind'`,
    );
    const superadmin = ['create-superadmin', 'boss@example.com', '--org', 'eastwind', '--generate-password'];
    expect(await simcube(env, 'users', ...superadmin)).toMatchObject({ code: 0 });
    const { rows } = await database.pool.query('select password_hash from users');
    expect(rows).toEqual([{ password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
    const { rows: invitations } = await database.pool.query('select status from invitations');
    expect(invitations).toEqual([{ status: 'accepted' }]);
  });

  it('does not write its log to stdout', async () => {
    const env = {
      DATABASE_URL: database.url,
      SIMCUBE_DATA_DIR: directory,
      SIMCUBE_SECRET_KEY: 'ab'.repeat(32),
    };
    await simcube(env, 'orgs', 'create', 'westwind', '--name', 'Westwind', '--country', 'GB');
    const args = ['create-superadmin', 'west@example.com', '--org', 'westwind', '--password-stdin', '--json'];
    const child = spawn(process.execPath, [mainPath('cli'), 'users', ...args], {
      env: { PATH: process.env['PATH'], SIMCUBE_ENV_FILE: '', ...env },
    });
    const output = { out: '', errors: '' };
    child.stdout.on('data', (piece: Buffer) => {
      output.out += piece.toString();
    });
    // While it waits for the password it loses its connections, which its log reports.
    const lost = new Promise<void>((resolve) => {
      child.stderr.on('data', (piece: Buffer) => {
        output.errors += piece.toString();
        if (output.errors.includes('a database connection was lost')) resolve();
      });
    });
    await vi.waitFor(async () => {
      const { rowCount } = await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle' and pid <> pg_backend_pid()
           and application_name = 'simcube' and query like '%users%email%'`,
      );
      expect(rowCount).toBeGreaterThan(0);
    }, 20_000);
    await lost;
    child.stdin.end('Blue-42-sky\n');
    await once(child, 'close');
    expect(JSON.parse(output.out)).toMatchObject({ organisation: 'westwind' });
  });

  it('reports an unreachable database in one sentence', async () => {
    const env = {
      DATABASE_URL: 'postgresql://simcube:geheim@127.0.0.1:9/simcube',
      SIMCUBE_DATA_DIR: directory,
    };
    const { code, errors } = await simcube(env, 'orgs', 'list');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'The database cannot be used: connect ECONNREFUSED 127.0.0.1:9\n',
    });
  });
});

describe('a command that examines the installation', () => {
  it('works with invalid settings, and names them', async () => {
    const env = { DATABASE_URL: database.url, SIMCUBE_DATA_DIR: directory, SIMCUBE_DEMO: '2' };
    const { out, errors } = await simcube(env, 'doctor', '--json');
    expect(errors).toBe('');
    const findings = JSON.parse(out) as { check: string; state: string; said: string }[];
    const said = (name: string) => findings.find(({ check }) => check === name)?.said;
    expect(said('settings')).toBe('Invalid: SIMCUBE_DEMO must be 0 or 1');
    expect(said('database')).toContain('responds');
    const bundle = join(directory, 'support.zip');
    expect(await simcube(env, 'support-bundle', '--out', bundle)).toMatchObject({ code: 0, errors: '' });
    expect(await simcube(env, 'orgs', 'list')).toMatchObject({ code: 78, out: '' });
  });
});

describe('the server', () => {
  it('exits with 78 rather than create the demonstration, with its known passwords, in a database that was named', async () => {
    const env = { DATABASE_URL: database.url, SIMCUBE_DATA_DIR: directory };
    const { code, out } = await runMain('server', { env, args: [] });
    expect(code).toBe(78);
    expect(out).toContain('DATABASE_URL is set, but SIMCUBE_DEMO is not: set it to 0');
  });

  it('exits with 78 on a wrong sealing key and names the fix', async () => {
    const env = {
      DATABASE_URL: database.url,
      SIMCUBE_DATA_DIR: directory,
      SIMCUBE_DEMO: '0',
      SIMCUBE_ROLES: 'worker',
    };
    await database.pool.query(
      `insert into installation (key, value) values ('sealing_key_check', 'of another key')
       on conflict (key) do update set value = excluded.value`,
    );
    const secretKey = 'ab'.repeat(32);
    const { code, out } = await runMain('server', {
      env: { ...env, SIMCUBE_SECRET_KEY: secretKey },
      args: [],
    });
    expect(code).toBe(78);
    expect(out).toMatch(
      /SIMCUBE_SECRET_KEY is not the key with which .* Set SIMCUBE_SECRET_KEY to the right one/,
    );
    expect(out).not.toContain(secretKey);
  });
});
