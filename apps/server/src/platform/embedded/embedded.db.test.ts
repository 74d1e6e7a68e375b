import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mainPath, programPath, runProgram } from '../../testing/run-program.ts';
import { createLog } from '../log/index.ts';
import { databaseUser } from './binaries.ts';
import { type EmbeddedDatabase, startEmbedded } from './index.ts';
import { isAlive } from './processes.ts';

const log = createLog({ level: 'silent', format: 'json' });
const isRoot = process.getuid?.() === 0;
let dataDir: string;
const running: EmbeddedDatabase[] = [];

beforeEach(async () => {
  // mkdtemp creates it with mode 0700: the database's own user has no access, as with root's home.
  dataDir = await mkdtemp(join(tmpdir(), 'simcube-embedded-'));
  await chmod(dataDir, 0o700);
});
afterEach(async () => {
  for (const database of running.splice(0)) {
    await database.stop();
    await rm(dirname(database.directory), { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

const start = async (): Promise<EmbeddedDatabase> => {
  const database = await startEmbedded({ dataDir, user: undefined, log });
  running.push(database);
  return database;
};

const ask = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

test('the embedded database runs in a private directory, never as root, and keeps its data across starts', async () => {
  const first = await start();
  await ask(first.url, 'create table kept as select 7 as n');
  const owner = (await stat(`/proc/${first.pid()}`)).uid;
  expect(owner === 0).toBe(false);
  expect(isRoot || owner === process.getuid?.()).toBe(true);
  // As root the data is where the other user has access; otherwise with the rest of the installation.
  expect(first.directory.startsWith(dataDir)).toBe(!isRoot);
  await first.stop();
  const second = await start();
  expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 7 }]);
});

test('the embedded database is protected by a password readable by its owner only', async () => {
  const { url } = await start();
  expect((await stat(join(dataDir, 'database.json'))).mode & 0o077).toBe(0);
  const wrong = new URL(url);
  wrong.password = 'guess';
  await expect(ask(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
});

test('an unwritable data directory ends the start with a sentence', async () => {
  const file = join(dataDir, 'a-file');
  await writeFile(file, '');
  const embedded = startEmbedded({ dataDir: join(file, 'data'), user: undefined, log });
  await expect(embedded).rejects.toThrow(/^The data directory .*a-file\/data can't be written \(ENOTDIR\)/);
});

test('a symlink in place of the embedded database’s log is not followed', async () => {
  const { directory, stop } = await start();
  await stop();
  const [file, logFile] = [join(dataDir, 'a-file'), join(directory, 'server.log')];
  await writeFile(file, 'kept');
  await rm(logFile);
  await symlink(file, logFile);
  const before = await stat(file);
  await expect(start()).rejects.toThrow(/ELOOP/);
  expect([await readFile(file, 'utf8'), (await stat(file)).uid]).toEqual(['kept', before.uid]);
});

test('a copy of the stopped embedded database is complete when its directories are restored, and refused when one is missing', async () => {
  const { url, directory, stop } = await start();
  await ask(url, 'create table kept as select 7 as n');
  await stop();
  const copies = await mkdtemp(join(tmpdir(), 'simcube-copies-'));
  const archive = (from: string, to: string) => execFileSync('cp', ['--archive', from, to]);
  try {
    archive(dataDir, join(copies, 'data'));
    archive(directory, join(copies, 'postgres'));
    await rm(directory, { recursive: true });
    await expect(start()).rejects.toThrow(
      `The database of ${join(dataDir, 'database.json')} is not in ${directory}. Restore it from a backup`,
    );
    await rm(dataDir, { recursive: true });
    archive(join(copies, 'data'), dataDir);
    if (isRoot) archive(join(copies, 'postgres'), directory);
    const restored = await start();
    expect(await ask(restored.url, 'select n from kept')).toEqual([{ n: 7 }]);
  } finally {
    await rm(copies, { recursive: true, force: true });
  }
});

test('the embedded database restarts after kill -9 with all committed data', async () => {
  const database = await start();
  await ask(database.url, 'create table kept as select 7 as n');
  const before = database.pid();
  process.kill(before ?? 0, 'SIGKILL');
  await expect
    .poll(() => ask(database.url, 'select n from kept').catch(() => 'away'), {
      timeout: 30_000,
      interval: 200,
    })
    .toEqual([{ n: 7 }]);
  expect(database.pid()).not.toBe(before);
});

test('an embedded database of a killed process is taken over, and stopped at shutdown', async () => {
  expect(await runProgram('embedded-process', [dataDir, 'die'])).toBe('SIGKILL');
  const { owner } = JSON.parse(await readFile(join(dataDir, 'database.json'), 'utf8')) as { owner: number };
  const database = await start();
  expect(owner).not.toBe(process.pid);
  await ask(database.url, 'select 1');
  const pid = database.pid() ?? 0;
  await database.stop();
  expect(isAlive(pid)).toBe(false);
});

test('an embedded database that a command has started is stopped when a signal interrupts the command', async () => {
  const { directory, stop } = await start();
  await stop();
  const command = ['users', 'create-superadmin', 'a@acme.example', '--org', 'acme', '--password-stdin'];
  const child = spawn(process.execPath, [mainPath('cli'), ...command], {
    env: { PATH: process.env['PATH'], SIMCUBE_ENV_FILE: '', SIMCUBE_DATA_DIR: dataDir },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  const readPid = () => readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  await expect.poll(readPid, { timeout: 30_000 }).toContain('ready');
  const pid = Number((await readPid()).split('\n', 1)[0]);
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  expect(isAlive(pid)).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'an embedded database is stopped although the process id of a user was reused after a reboot',
  async () => {
    const file = join(dataDir, 'database.json');
    await (await start()).stop();
    // This test's parent, which runs, as if another process had had its id.
    const reused = { owner: process.ppid, users: [process.ppid], started: { [process.ppid]: '1' } };
    const cluster = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...cluster, ...reused }));
    const database = await start();
    const pid = database.pid() ?? 0;
    await database.stop();
    expect(isAlive(pid)).toBe(false);
  },
);

describe('an embedded database whose parent never reaps it', () => {
  let parent: ChildProcess | undefined;
  afterEach(() => {
    parent?.kill('SIGKILL');
  });

  /** Imitates a killed server under a first process that reaps nothing: the same command line, with another parent. */
  const adopt = async (): Promise<{ database: EmbeddedDatabase; pid: number }> => {
    const first = await start();
    await ask(first.url, 'create table kept as select 7 as n');
    await first.stop();
    const command = await readFile(join(first.directory, 'postmaster.opts'), 'utf8');
    const as = databaseUser(undefined);
    const shell = spawn('/bin/sh', ['-c', `${command.trim()} >&- 2>&- & echo $!; exec sleep 600 >&-`], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: '/',
      ...(as && { uid: as.uid, gid: as.gid }),
    });
    parent = shell;
    const [pid] = await once(shell.stdout, 'data');
    await expect
      .poll(() => ask(first.url, 'select n from kept').catch(() => 'away'), { timeout: 30_000, interval: 50 })
      .toEqual([{ n: 7 }]);
    return { database: await start(), pid: Number(pid) };
  };

  test('restarts after kill -9, although the old process stays a zombie', async () => {
    const { database, pid } = await adopt();
    expect(database.pid()).toBe(pid);
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => ask(database.url, 'select n from kept').catch(() => 'away'), {
        timeout: 30_000,
        interval: 200,
      })
      .toEqual([{ n: 7 }]);
    expect(process.kill(pid, 0)).toBe(true);
    expect(database.pid()).not.toBe(pid);
  });

  test('stops without waiting for the zombie process', async () => {
    const { database, pid } = await adopt();
    await database.stop();
    expect(process.kill(pid, 0)).toBe(true);
    await expect(ask(database.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });
});

test('a second process joins a running embedded database and leaves it running', async () => {
  const first = await start();
  const pid = first.pid();
  expect(await runProgram('embedded-process', [dataDir, 'stop'])).toBe(0);
  expect(await ask(first.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(first.pid()).toBe(pid);
});

test('an embedded database whose owner ends is left to another process that uses it', async () => {
  const owner = spawn(process.execPath, [programPath('embedded-process'), dataDir, 'later'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  const joined = await start();
  const pid = joined.pid() ?? 0;
  owner.stdin.end();
  await once(owner, 'exit');
  expect(await ask(joined.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  expect(joined.pid()).toBe(pid);
  await joined.stop();
  expect(isAlive(pid)).toBe(false);
});

test('an embedded database is started once by several processes at the same time, and stopped by the last', async () => {
  const { stop } = await start();
  await stop();
  const commands = Array.from({ length: 3 }, () => runProgram('embedded-process', [dataDir, 'use']));
  expect(await Promise.all(commands)).toEqual([0, 0, 0]);
  const started = await readFile(join(running[0]?.directory ?? '', 'server.log'), 'utf8');
  expect(started).not.toContain('postmaster.pid');
  const database = await start();
  await ask(database.url, 'select 1');
});
