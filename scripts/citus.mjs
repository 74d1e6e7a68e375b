// A temporary Citus cluster on this machine, for tests, drills and benchmarks; requires a PostgreSQL with the extension.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const debian = '/usr/lib/postgresql';

/** Finds the programs of a PostgreSQL with the extension: first on the path, then in Debian's versions. */
const findPrograms = () => {
  const versions = existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name, 'bin')) : [];
  return [...(process.env.PATH ?? '').split(delimiter), ...versions.toSorted().toReversed()].find((bin) => {
    if (!existsSync(join(bin, 'initdb')) || !existsSync(join(bin, 'pg_config'))) return false;
    const { stdout } = spawnSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
    return existsSync(join(stdout.trim(), 'extension', 'citus.control'));
  });
};

/** One line on why no cluster can be created on this machine; undefined if the extension is installed. */
export const citusUnavailableReason = () =>
  findPrograms()
    ? undefined
    : 'No tests on Citus: the extension is not installed in a PostgreSQL of this machine (CONTRIBUTING.md, Tests on Citus)';

/** PostgreSQL refuses to run as root: in that case it runs as `postgres`. */
const postgresUser = () => {
  if (process.getuid?.() !== 0) return {};
  const id = (kind) => Number(spawnSync('id', [kind, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
};

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Each test database needs a background worker, and a lock for each shard. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  max_prepared_transactions: '300',
  max_worker_processes: '64',
  max_locks_per_transaction: '1024',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.shard_count': '4',
  'citus.enable_statistics_collection': 'off',
};

/** Settings for clusters whose data need not survive a crash. */
const nonDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const run = (program, args, { user, password }) => {
  // The nodes authenticate to one another with the password that libpq finds in their environment.
  const env = { ...process.env, PGPASSWORD: password };
  const options = { ...user, env, cwd: '/', encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] };
  const { status, stderr, error } = spawnSync(program, args, options);
  if (status !== 0) throw error ?? new Error(`${program} failed: ${stderr}`);
};

const query = async (url, text, values) => {
  // Imported late: packages may not be installed yet when callers of `citusUnavailableReason` load this module.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
};

/**
 * Starts a node with the extension in its database `postgres`.
 * @returns its address, the process id of its server, and a function that restarts it after a crash
 */
const startNode = async (bin, directory, { passwordFile, extraSettings, ...credentials }) => {
  const port = await freePort();
  run(
    join(bin, 'initdb'),
    [
      ...['--pgdata', directory, '--username', 'simcube', '--encoding', 'UTF8', '--no-sync'],
      ...['--auth', 'scram-sha-256', '--pwfile', passwordFile],
    ],
    credentials,
  );
  const options = Object.entries({ ...settings, ...extraSettings, port }).map(
    ([name, value]) => `-c ${name}='${value}'`,
  );
  const log = join(directory, 'server.log');
  const start = () =>
    run(
      join(bin, 'pg_ctl'),
      ['start', '--wait', '--pgdata', directory, '--log', log, '--options', options.join(' ')],
      credentials,
    );
  start();
  const url = `postgresql://simcube:${credentials.password}@127.0.0.1:${port}/postgres`;
  await query(url, 'create extension citus');
  const pid = () => Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  return { port, url, pid, start };
};

/**
 * Starts a coordinator and its workers, which are registered in its database `postgres`.
 * @param workers number of workers
 * @param durable server settings for clusters whose commits must survive a crash; by default they need not
 * @returns the coordinator's address, all nodes with the coordinator first, and a function that stops and removes them
 */
export const startCluster = async ({ workers: count = 2, durable } = {}) => {
  const [bin, user, password] = [findPrograms(), postgresUser(), randomUUID()];
  const directory = mkdtempSync(join(tmpdir(), 'simcube-citus-'));
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, password);
  if (user.uid !== undefined)
    for (const path of [directory, passwordFile]) chownSync(path, user.uid, user.gid);
  const names = ['coordinator', ...Array.from({ length: count }, (_, index) => `worker-${index + 1}`)];
  const stop = () => {
    for (const name of names) {
      const args = ['stop', '--mode', 'immediate', '--pgdata', join(directory, name)];
      spawnSync(join(bin, 'pg_ctl'), args, { ...user, cwd: '/', stdio: 'ignore' });
    }
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const credentials = { user, password, passwordFile, extraSettings: durable ?? nonDurable };
    const nodes = await Promise.all(names.map((name) => startNode(bin, join(directory, name), credentials)));
    const [coordinator, ...workers] = nodes;
    await query(coordinator.url, `select citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port]);
    for (const { port } of workers)
      await query(coordinator.url, `select citus_add_node('127.0.0.1', $1)`, [port]);
    return { url: coordinator.url, nodes, stop };
  } catch (error) {
    stop();
    throw error;
  }
};
