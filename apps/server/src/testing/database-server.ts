import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { distribute } from '../main/database/distribute.service.ts';
import { connect, ensurePartitions, migrate } from '../platform/db/index.ts';
import { startEmbedded } from '../platform/embedded/index.ts';
import { prepareJobs } from '../platform/jobs/index.ts';
import { createLog } from '../platform/log/index.ts';
import { closeDatabase, databaseAt, joinNodes, listServers, withClient } from './cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the temporary PostgreSQL; its database `simcube` is migrated and only ever copied. */
    databaseUrl: string;
    /** Every server on which a database is created: one, or all of a Citus cluster. */
    databaseServers: readonly string[];
  }
}

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));

interface TestServer {
  url: string;
  servers: readonly string[];
  stop: () => Promise<void>;
}

interface SharedServer {
  users: number;
  started: Promise<TestServer>;
}

// The kinds of tests are projects with separate set-ups in one process: they share one server.
const shared = globalThis as { simcubeTestServer?: SharedServer };

/**
 * An existing server, of another version than the embedded one, or the coordinator of a Citus cluster: its
 * databases `simcube` and `test_…` belong to the tests.
 */
const existingServer = async (url: string): Promise<TestServer> => {
  const servers = await listServers(url);
  for (const server of servers) {
    await withClient(databaseAt(server, 'postgres'), async (client) => {
      await client.query('drop database if exists simcube with (force)');
      await client.query('create database simcube');
    });
  }
  await joinNodes(servers, 'simcube');
  return { url: databaseAt(url, 'simcube'), servers, stop: async () => undefined };
};

const embedded = async (): Promise<TestServer> => {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-test-'));
  // Accessible to the database's user if this process is root.
  await chmod(directory, 0o755);
  const log = createLog({ level: 'silent', format: 'json' });
  // Nothing here must survive a crash of the machine; tests of durability start separate databases.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  };
  const server = await startEmbedded({ dataDir: directory, user: undefined, log, settings });
  return {
    url: server.url,
    servers: [server.url],
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const start = async (): Promise<TestServer> => {
  const { SIMCUBE_TEST_DATABASE_URL: url } = process.env;
  const server = url ? await existingServer(url) : await embedded();
  const { pool, close } = connect({
    url: server.url,
    max: 2,
    name: 'simcube test set-up',
    onError: () => undefined,
  });
  await migrate(pool, migrations);
  await prepareJobs(pool);
  await ensurePartitions(pool, new Date('2026-01-01T00:00:00Z'), new Date('2027-03-01T00:00:00Z'));
  // On a cluster, tables are distributed as an installation's are, with only one shard per worker.
  if (server.servers.length > 1) {
    const shards = server.servers.length - 1;
    await distribute(pool, {
      shards,
      lockSeconds: 5,
      maxAttempts: 1,
      pauseSeconds: 1,
      say: () => undefined,
      record: async () => undefined,
    });
  }
  await close();
  await closeDatabase(server.servers, 'simcube');
  return server;
};

/** Vitest's global set-up for the kinds of tests that need a database. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  shared.simcubeTestServer ??= { users: 0, started: start() };
  const server = shared.simcubeTestServer;
  server.users += 1;
  const { url, servers, stop } = await server.started;
  project.provide('databaseUrl', url);
  project.provide('databaseServers', servers);
  return async () => {
    server.users -= 1;
    if (server.users > 0) return;
    delete shared.simcubeTestServer;
    await stop();
  };
};
