import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../apps/server/src/platform/embedded/index.ts';
import { createLog } from '../../apps/server/src/platform/log/index.ts';
import { cpuSecondsOf } from './processes.ts';
import type { Installation } from './product.ts';

/** A temporary PostgreSQL with the settings of the product: every acknowledged commit is on disk. */
export interface Cluster {
  /** Directory for files of a run; removed with the cluster. */
  directory: string;
  postmaster(): number;
  /** Processor seconds used by all its servers. */
  cpuSeconds(): number;
  url(database: string): string;
  /** A new database, empty or a copy. */
  create(database: string, template?: string): Promise<string>;
  drop(database: string): Promise<void>;
  /** Distributes the tables by SIM over its nodes; does nothing on a single server. */
  distribute(installation: Installation): Promise<void>;
  /** Analyses the tables, as autovacuum would within a minute. */
  analyse(database: string): Promise<void>;
  /** Before a measurement: completes pending writes of earlier ones, so that they do not affect it. */
  settle(): Promise<void>;
  /** Costs of the statements since the last call, most expensive first; empty unless statistics are enabled. */
  costliestStatements(): Promise<string[]>;
  /** Shuts the server down, but keeps its files. */
  shutDown(): Promise<void>;
  stop(): Promise<void>;
}

export const makeDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'simcube-bench-'));
  // Accessible for the user that the database runs as if this process is root.
  await chmod(directory, 0o755);
  return directory;
};

/**
 * With `trackStatements`, collects the cost of each statement (pg_stat_statements), which itself has a small cost.
 * @param existing a directory with the files of an existing cluster, instead of a new one
 */
export const startCluster = async ({
  trackStatements = false,
  existing,
}: {
  trackStatements?: boolean;
  existing?: string;
} = {}): Promise<Cluster> => {
  const directory = existing ?? (await makeDirectory());
  const log = createLog({ level: 'error', format: 'pretty' });
  const settings = trackStatements
    ? { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'all' }
    : {};
  const server = await startEmbedded({ dataDir: directory, user: undefined, log, settings });
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
  if (trackStatements) await run('create extension if not exists pg_stat_statements');
  return {
    directory,
    postmaster: () => server.pid() ?? 0,
    cpuSeconds: () => cpuSecondsOf(server.pid() ?? 0),
    url: urlOf,
    create: async (database, template = 'template1') => {
      await run(`create database ${database} template ${template}`);
      return urlOf(database);
    },
    drop: (database) => run(`drop database if exists ${database} with (force)`),
    distribute: async () => undefined,
    analyse: (database) =>
      withClient(urlOf(database), async (client) => void (await client.query('vacuum (analyze)'))),
    settle: () => run('checkpoint'),
    costliestStatements: async () => (trackStatements ? costliest(urlOf('postgres')) : []),
    shutDown: () => server.stop(),
    stop: async () => {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const costliest = (url: string): Promise<string[]> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `select format('%s ms in %s calls, %s rows, %s blocks: %s', round(total_exec_time), calls, rows,
         shared_blks_hit + shared_blks_read, left(regexp_replace(query, '\\s+', ' ', 'g'), 110)) as line
       from pg_stat_statements order by total_exec_time desc limit 12`,
    );
    await client.query('select pg_stat_statements_reset()');
    return rows.map(({ line }) => line);
  });

/** Runs `work` on a separate connection, without the time limits of the product's pools. */
export const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
