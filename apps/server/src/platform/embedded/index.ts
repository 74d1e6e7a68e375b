import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  access,
  chown,
  constants,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { UnusableSettings } from '../env/index.ts';
import type { Log } from '../log/index.ts';
import { binaryDirectory, clusterDirectory, databaseUser, type OsUser } from './binaries.ts';
import {
  type ClusterFile,
  clusterFile,
  isRunning,
  otherUsers,
  readClusterFile,
  writeClusterFile,
} from './cluster-file.ts';
import { commandOf, isAlive, isDefunct } from './processes.ts';

/** The database that comes with SimCube. The process that started it owns it; all processes that use it watch it. */
export interface EmbeddedDatabase {
  url: string;
  /** The cluster's data directory. */
  directory: string;
  /** Process id of the database server; changes when it is restarted. */
  pid(): number | undefined;
  /** Stops the database (fast shutdown) if no other process uses it; otherwise it is the other's from now on. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  user: string | undefined;
  log: Log;
  /** Extra server settings, for tests. */
  settings?: Record<string, string>;
}

const role = 'simcube';
const database = 'simcube';
const startTimeoutMs = 60_000;

const urlOf = ({ password, port }: Pick<ClusterFile, 'password' | 'port'>): string =>
  `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;

const mebibyte = 2 ** 20;

/**
 * Shared buffers, allocated as they are used: an eighth of the memory of this machine or container, from 128 MB
 * to 1 GB. A page outside them is copied from the system's cache at each read.
 */
const sharedBuffers = (): string => {
  const available = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return `${Math.floor(Math.min(1024, Math.max(128, available / 8 / mebibyte)))}MB`;
};

/** Durable defaults for a small machine; every acknowledged commit is on disk. */
export const serverSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: sharedBuffers(),
  work_mem: '16MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off',
  autovacuum_naptime: '15s',
  log_checkpoints: 'off',
};

/**
 * Starts the embedded PostgreSQL, takes over one that a killed process left behind, or joins one that another
 * living process owns. If the database server dies, it is restarted and recovers from its write-ahead log. A
 * process that ends leaves it to another one that uses it.
 * @throws Error with the end of the database's log if it does not start
 */
export const startEmbedded = async (options: EmbeddedOptions): Promise<EmbeddedDatabase> => {
  await requireWritable(options.dataDir);
  return alone(options.dataDir, () => startOrJoin(options));
};

const startOrJoin = async ({
  dataDir,
  user,
  log,
  settings = {},
}: EmbeddedOptions): Promise<EmbeddedDatabase> => {
  const osUser = databaseUser(user);
  const [bin, directory] = [await binaryDirectory(osUser), await clusterDirectory(dataDir, osUser)];
  const file = clusterFile(dataDir);
  const existing = await readClusterFile(file);
  if (!(await exists(join(directory, 'PG_VERSION')))) {
    // It has run: an incomplete copy is not replaced by an empty database.
    if (existing && existing.port > 0)
      throw new UnusableSettings(
        `The database of ${file} is not in ${directory}. Restore it from a backup, or remove ${file} to begin with an empty database.`,
      );
    await createCluster({ bin, directory, osUser, file });
  }
  const cluster = await readClusterFile(file);
  if (!cluster) throw new Error(`${file}, which contains the password of the existing database, is missing`);

  const running = await runningPostmaster(directory);
  let owned = !running || !isRunning(cluster, cluster.owner) || cluster.owner === process.pid;
  const port = running?.port ?? (await freePort(cluster.port));
  await writeClusterFile(file, {
    ...cluster,
    port,
    owner: owned ? process.pid : cluster.owner,
    users: [...otherUsers(cluster), process.pid],
  });

  let pid = running?.pid;
  const stopping = new AbortController();
  const launch = async () => {
    pid = await launchServer({ bin, directory, osUser, port, settings: { ...serverSettings, ...settings } });
  };
  const url = urlOf({ ...cluster, port });
  if (!running) await launch();
  await waitUntilReady(url, join(directory, 'server.log'));
  if (osUser)
    log.info(
      { directory, user: osUser.name },
      'the database runs as another user because this process is root',
    );

  /** The owner has ended and stopped the database: from now on this process owns it. */
  const takeOver = async (): Promise<boolean> => {
    const now = await readClusterFile(file);
    if (now && isRunning(now, now.owner)) return false;
    await writeClusterFile(file, { ...cluster, ...now, port, owner: process.pid });
    owned = true;
    return true;
  };
  const restart = async () => {
    const other = await runningPostmaster(directory);
    if (other) pid = other.pid;
    else if (owned || (await takeOver())) {
      log.warn({ pid }, 'the embedded database stopped; restarting it');
      await launch();
    }
  };
  const watch = async () => {
    while (!stopping.signal.aborted) {
      if (!(pid && isAlive(pid)))
        await restart().catch((error: Error) =>
          log.error({ err: error }, 'the embedded database did not start'),
        );
      await sleep(500, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
    }
  };
  const watching = watch();

  return {
    url,
    directory,
    pid: () => pid,
    stop: async () => {
      stopping.abort();
      // A server that is just being restarted must not be left running.
      await watching;
      await alone(dataDir, async () => {
        const now = (await readClusterFile(file)) ?? cluster;
        const users = otherUsers(now);
        const isOwner = now.owner === process.pid || !isRunning(now, now.owner);
        const [owner = process.pid] = isOwner ? users : [now.owner];
        await writeClusterFile(file, { ...now, owner, users });
        if (owner !== process.pid || !pid || !isAlive(pid)) return;
        process.kill(pid, 'SIGINT');
        while (isAlive(pid)) await sleep(20);
      });
    },
  };
};

/**
 * Starting, joining and stopping a database happen one after the other in all processes: two commands at the same
 * time would otherwise start it twice. A lock that a killed process left behind is ignored.
 */
const alone = async <T>(dataDir: string, work: () => Promise<T>): Promise<T> => {
  const lock = join(dataDir, 'database.lock');
  const end = process.uptime() * 1000 + startTimeoutMs;
  while (!(await createLock(lock))) {
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
    if ((holder && !isAlive(holder)) || process.uptime() * 1000 > end) await rm(lock, { force: true });
    else await sleep(20);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
};

const createLock = async (path: string): Promise<boolean> => {
  try {
    await writeFile(path, String(process.pid), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
};

/** Address of the database in the data directory, running or not; undefined if there is none. */
export const findEmbedded = async (dataDir: string): Promise<string | undefined> => {
  const cluster = await readClusterFile(clusterFile(dataDir));
  return cluster && urlOf(cluster);
};

/** Whether the data directory contains a database, running or not. */
export const hasCluster = (dataDir: string): Promise<boolean> => exists(clusterFile(dataDir));

/** @throws UnusableSettings if the directory can't be written: a read-only file system, or another user's directory */
const requireWritable = async (dataDir: string): Promise<void> => {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UnusableSettings(
      `The data directory ${dataDir} can't be written (${code}). Correct this, or set SIMCUBE_DATA_DIR to another directory.`,
    );
  }
};

const createCluster = async (options: {
  bin: string;
  directory: string;
  osUser: OsUser | undefined;
  file: string;
}) => {
  const { bin, directory, osUser, file } = options;
  const password = randomBytes(24).toString('hex');
  // initdb reads the password from a file, as the other user; the file is deleted after initdb.
  const passwordFile = join(tmpdir(), `simcube-${randomBytes(8).toString('hex')}`);
  const newDirectory = `${directory}.new`;
  await rm(newDirectory, { recursive: true, force: true });
  await mkdir(newDirectory, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' });
  try {
    if (osUser) {
      await chown(newDirectory, osUser.uid, osUser.gid);
      await chown(passwordFile, osUser.uid, osUser.gid);
    }
    execFileSync(
      join(bin, 'initdb'),
      [
        '-D',
        newDirectory,
        '-U',
        role,
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale-provider=builtin',
        '--locale=C.UTF-8',
        '--no-instructions',
      ],
      { stdio: 'pipe', cwd: '/', ...(osUser && { uid: osUser.uid, gid: osUser.gid }) },
    );
    // Only complete clusters get the final name: after a kill nothing looks finished that is not.
    await writeClusterFile(file, { password, port: 0, owner: process.pid });
    await rename(newDirectory, directory);
  } finally {
    await rm(passwordFile, { force: true });
  }
};

const launchServer = async (options: {
  bin: string;
  directory: string;
  osUser: OsUser | undefined;
  port: number;
  settings: Record<string, string>;
}): Promise<number> => {
  const { bin, directory, osUser, port, settings } = options;
  await removeDefunctPidFile(directory);
  const logFile = join(directory, 'server.log');
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  // The database's user may put a symbolic link in its place: root would follow it, and change the owner of its target.
  const output = await open(logFile, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (osUser) await output.chown(osUser.uid, osUser.gid);
  const settingArguments = Object.entries({ ...settings, port: String(port) }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  // A separate process group: Ctrl-C reaches this process, which stops the database last.
  const child = spawn(join(bin, 'postgres'), ['-D', directory, ...settingArguments], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
    ...(osUser && { uid: osUser.uid, gid: osUser.gid }),
  });
  await output.close();
  child.unref();
  if (!child.pid) throw new Error('The database could not be started');
  return child.pid;
};

const waitUntilReady = async (url: string, logFile: string): Promise<void> => {
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const end = process.uptime() * 1000 + startTimeoutMs;
  for (let last: unknown; ; ) {
    const client = new pg.Client({ connectionString: admin.href, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      const result = await client.query('select 1 from pg_database where datname = $1', [database]);
      if (result.rowCount === 0) await client.query(`create database ${database}`);
      return;
    } catch (error) {
      last = error;
    } finally {
      await client.end().catch(() => undefined);
    }
    if (process.uptime() * 1000 > end) {
      const logTail = (await readFile(logFile, 'utf8').catch(() => '')).split('\n').slice(-15).join('\n');
      throw new Error(`The database did not start: ${(last as Error).message}\n${logTail}`);
    }
    await sleep(100);
  }
};

/** The content of postmaster.pid, which a server writes when it starts and removes when it ends. */
const readPidFile = async (directory: string): Promise<{ pid: number; port: number }> => {
  // The first four lines: process id, directory, start time, port.
  const lines = (await readFile(pidFile(directory), 'utf8').catch(() => '')).split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]) };
};

const pidFile = (directory: string): string => join(directory, 'postmaster.pid');

const runningPostmaster = async (directory: string): Promise<{ pid: number; port: number } | undefined> => {
  const { pid, port } = await readPidFile(directory);
  if (!pid || !port || !isAlive(pid)) return undefined;
  // After a reboot the process id may belong to another program.
  return (commandOf(pid) ?? 'postgres').includes('postgres') ? { pid, port } : undefined;
};

/**
 * Removes the pid file of a server that ended but was never reaped: a new server would take it for a running
 * one, because it still accepts signals. PostgreSQL also checks by shared memory that no process of the old
 * server uses the data.
 */
const removeDefunctPidFile = async (directory: string): Promise<void> => {
  const { pid } = await readPidFile(directory);
  if (pid && isDefunct(pid)) await rm(pidFile(directory), { force: true });
};

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The wanted port when it is free, else any free one. */
const freePort = async (preferred: number): Promise<number> => {
  const tryPort = (port: number) =>
    new Promise<number | undefined>((done) => {
      const server = createServer();
      server.once('error', () => done(undefined));
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => done(typeof address === 'object' && address ? address.port : undefined));
      });
    });
  const port = (preferred > 0 && (await tryPort(preferred))) || (await tryPort(0));
  if (!port) throw new Error('No free port for the database');
  return port;
};
