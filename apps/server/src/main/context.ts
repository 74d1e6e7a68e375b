import { mkdir } from 'node:fs/promises';
import { type Clock, systemClock } from '../platform/clock/index.ts';
import {
  connect,
  createListener,
  type Database,
  ensurePartitions,
  type Listener,
  migrate,
} from '../platform/db/index.ts';
import { startEmbedded } from '../platform/embedded/index.ts';
import type { Env } from '../platform/env/index.ts';
import { prepareJobs } from '../platform/jobs/index.ts';
import type { Log } from '../platform/log/index.ts';
import { createMetrics, type Metrics } from '../platform/metrics/index.ts';
import { openVault, type Vault } from '../platform/secrets/index.ts';

/** What every module may be handed: the outside world of this process. */
export interface Context {
  env: Env;
  log: Log;
  clock: Clock;
  metrics: Metrics;
  vault: Vault;
  database: Database;
  listener: Listener;
  close(): Promise<void>;
}

const monthsAhead = 3;
const monthMs = 31 * 24 * 3600 * 1000;

/**
 * Opens the database (the one of the settings, one that runs here already, or our own, started now), brings it up
 * to date, and everything else that a process of SimCube needs.
 */
export const openContext = async (env: Env, log: Log): Promise<Context> => {
  await mkdir(env.dataDir, { recursive: true });
  const vault = await openVault(env);
  const { url, stop } = await openDatabase(env, log);
  // When all is closed the database is stopped over whatever connection is still saying goodbye.
  let closing = false;
  const database = connect({
    url,
    max: env.databasePool,
    name: 'simcube',
    onError: (error) => {
      if (!closing) log.warn({ err: error }, 'a database connection was lost');
    },
  });
  const applied = await migrate(database.pool, env.migrationsDir);
  if (applied.length > 0) log.info({ applied }, 'the schema was brought up to date');
  await prepareJobs(database.pool);
  const now = systemClock.now();
  await ensurePartitions(database.pool, now, new Date(now.getTime() + monthsAhead * monthMs));
  const listener = createListener(url, log);
  return {
    env,
    log,
    clock: systemClock,
    metrics: createMetrics(),
    vault,
    database,
    listener,
    close: async () => {
      closing = true;
      await listener.close();
      await database.close();
      await stop();
    },
  };
};

const openDatabase = async (env: Env, log: Log): Promise<{ url: string; stop: () => Promise<void> }> => {
  if (env.databaseUrl) return { url: env.databaseUrl, stop: async () => undefined };
  return startEmbedded({ dataDir: env.dataDir, user: env.databaseUser, log });
};
