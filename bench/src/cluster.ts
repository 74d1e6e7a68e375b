import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../apps/server/src/platform/embedded/index.ts';
import { createLog } from '../../apps/server/src/platform/log/index.ts';

/** A throw-away PostgreSQL with the settings of the product: every commit that was answered is on disk. */
export interface Cluster {
  /** Where programs of a run may keep their files; removed with the cluster. */
  directory: string;
  postmaster(): number;
  url(database: string): string;
  /** A new database, empty or a copy. */
  create(database: string, template?: string): Promise<string>;
  drop(database: string): Promise<void>;
  /** Before a measured stretch: what earlier ones left to write is written, so that none pays for another. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export const startCluster = async (): Promise<Cluster> => {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-bench-'));
  // Open to the user that the database runs as when this process is root.
  await chmod(directory, 0o755);
  const log = createLog({ level: 'error', format: 'pretty' });
  const server = await startEmbedded({ dataDir: directory, user: undefined, log });
  const urlOf = (database: string) => new URL(`/${database}`, server.url).href;
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: urlOf('postgres') });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    directory,
    postmaster: () => server.pid() ?? 0,
    url: urlOf,
    create: async (database, template = 'template1') => {
      await run(`create database ${database} template ${template}`);
      return urlOf(database);
    },
    drop: (database) => run(`drop database if exists ${database} with (force)`),
    settle: () => run('checkpoint'),
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Runs `work` on a connection of its own, without the time limits of the product's pools. */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
