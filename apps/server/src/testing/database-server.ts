import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect, ensurePartitions, migrate } from '../platform/db/index.ts';
import { startEmbedded } from '../platform/embedded/index.ts';
import { prepareJobs } from '../platform/jobs/index.ts';
import { createLog } from '../platform/log/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the throw-away PostgreSQL; its database `simcube` is migrated and only ever copied. */
    databaseUrl: string;
  }
}

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

interface Shared {
  users: number;
  started: Promise<{ url: string; stop: () => Promise<void> }>;
}

// The kinds of tests are projects with a set-up of their own, in one process: they share one server.
const shared = globalThis as { simcubeTestServer?: Shared };

/** A server that is there already, of another version than the embedded one: its databases `simcube` and `test_…` are the tests'. */
const given = async (url: string) => {
  const client = new pg.Client({ connectionString: new URL('/postgres', url).href });
  await client.connect();
  await client.query('drop database if exists simcube with (force)');
  await client.query('create database simcube');
  await client.end();
  return { url: new URL('/simcube', url).href, stop: async () => undefined };
};

const embedded = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-test-'));
  // Open to the user that the database runs as when this process is root.
  await chmod(directory, 0o755);
  const log = createLog({ level: 'silent', format: 'json' });
  // Nothing here must survive a crash of the machine; tests of durability start databases of their own.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  };
  const server = await startEmbedded({ dataDir: directory, user: undefined, log, settings });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const start = async () => {
  const { SIMCUBE_TEST_DATABASE_URL: url } = process.env;
  const server = url ? await given(url) : await embedded();
  const { pool, close } = connect({
    url: server.url,
    max: 2,
    name: 'simcube test set-up',
    onError: () => undefined,
  });
  await migrate(pool, migrations);
  await prepareJobs(pool);
  await ensurePartitions(pool, new Date('2026-01-01T00:00:00Z'), new Date('2027-03-01T00:00:00Z'));
  await close();
  return server;
};

/** Vitest's global set-up of the kinds that need a database. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  shared.simcubeTestServer ??= { users: 0, started: start() };
  const server = shared.simcubeTestServer;
  server.users += 1;
  const { url, stop } = await server.started;
  project.provide('databaseUrl', url);
  return async () => {
    server.users -= 1;
    if (server.users > 0) return;
    delete shared.simcubeTestServer;
    await stop();
  };
};
