import { mkdir } from 'node:fs/promises';
import { type Clock, systemClock } from '../platform/clock/index.ts';
import {
  connect,
  createListener,
  type Database,
  ensurePartitions,
  type Listener,
  migrate,
  troubleOf,
  waitForDatabase,
} from '../platform/db/index.ts';
import { startEmbedded } from '../platform/embedded/index.ts';
import type { Env } from '../platform/env/index.ts';
import { prepareJobs } from '../platform/jobs/index.ts';
import type { Log } from '../platform/log/index.ts';
import type { Metrics } from '../platform/metrics/index.ts';
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

export interface ContextOptions {
  env: Env;
  log: Log;
  metrics: Metrics;
  /** Ends the wait for the database; without one nothing is waited for. */
  signal?: AbortSignal;
}

const monthsAhead = 3;
const monthMs = 31 * 24 * 3600 * 1000;

/**
 * Opens the database (the one of the settings, one that runs here already, or our own, started now), brings it up
 * to date, and everything else that a process of SimCube needs.
 * @throws UnusableSettings; AbortError when told to stop
 */
export const openContext = async ({ env, log, metrics, signal }: ContextOptions): Promise<Context> => {
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
  let listener: Listener | undefined;
  const close = async () => {
    closing = true;
    await listener?.close();
    await database.close();
    await stop();
  };
  try {
    await prepareDatabase(database, { env, log, signal });
    listener = createListener(url, log);
    return { env, log, clock: systemClock, metrics, vault, database, listener, close };
  } catch (error) {
    // Without this an embedded database would be left running behind a process that never came up.
    await close();
    throw error;
  }
};

/** Waits for it and brings it up to date; one that goes away in the middle is waited for again. */
const prepareDatabase = async (
  { pool, url }: Database,
  { env, log, signal }: { env: Env; log: Log; signal: AbortSignal | undefined },
): Promise<void> => {
  for (;;) {
    await waitForDatabase(url, { log, signal });
    try {
      const applied = await migrate(pool, env.migrationsDir);
      if (applied.length > 0) log.info({ applied }, 'the schema was brought up to date');
      await prepareJobs(pool);
      const now = systemClock.now();
      await ensurePartitions(pool, now, new Date(now.getTime() + monthsAhead * monthMs));
      signal?.throwIfAborted();
      return;
    } catch (error) {
      if (!signal || troubleOf(error) === undefined) throw error;
    }
  }
};

const openDatabase = async (env: Env, log: Log): Promise<{ url: string; stop: () => Promise<void> }> => {
  if (env.databaseUrl) return { url: env.databaseUrl, stop: async () => undefined };
  return startEmbedded({ dataDir: env.dataDir, user: env.databaseUser, log });
};
