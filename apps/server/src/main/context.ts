import { mkdir } from 'node:fs/promises';
import { constants } from 'node:os';
import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import { type Clock, systemClock } from '../platform/clock/index.ts';
import {
  compareMigrations,
  connect,
  createListener,
  type Database,
  ensurePartitions,
  hasAnyTable,
  type Listener,
  migrate,
  requireSupportedVersion,
  troubleOf,
  waitForDatabase,
} from '../platform/db/index.ts';
import { hasCluster, startEmbedded } from '../platform/embedded/index.ts';
import { type Env, UnusableSettings } from '../platform/env/index.ts';
import { prepareJobs } from '../platform/jobs/index.ts';
import type { Log } from '../platform/log/index.ts';
import type { Metrics } from '../platform/metrics/index.ts';
import { closedVault, type KeyRing, openInstallationKey } from '../platform/secrets/index.ts';
import { adoptDayOffset } from './day-offset.ts';
import { sealedStores } from './sealed-stores.ts';

/** The environment that every module may be passed: the outside world of this process. */
export interface Context {
  env: Env;
  log: Log;
  clock: Clock;
  metrics: Metrics;
  vault: KeyRing;
  database: Database;
  listener: Listener;
  close(): Promise<void>;
}

export interface ContextOptions {
  env: Env;
  log: Log;
  metrics: Metrics;
  opener: Opener;
  /** Ends the wait for the database; without it nothing is waited for. */
  signal?: AbortSignal;
}

const monthsAhead = 3;
const monthMs = 31 * dayMs;

/**
 * A server creates what its installation lacks (database, key); a command uses what exists, or is refused, except
 * that it creates the tables in an empty database.
 */
export type Opener = 'server' | 'command';

/**
 * Opens the database (that of the settings, one that already runs here, or the embedded one, started now),
 * brings it up to date, and opens everything else that a process of SimCube needs.
 * @throws UnusableSettings; AbortError when asked to stop
 */
export const openContext = async (options: ContextOptions): Promise<Context> => {
  const { env, log, metrics, opener } = options;
  if (opener === 'server') await mkdir(env.dataDir, { recursive: true });
  const opening = openDatabase(env, log, opener);
  if (opener === 'command') endOnSignals(opening);
  const { url, stop } = await opening;
  // During shutdown the database stops while connections are still being closed; their errors are ignored.
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
    const vault = await prepareDatabase(database, options);
    listener = createListener(url, log, env.roles);
    return { env, log, clock: systemClock, metrics, vault, database, listener, close };
  } catch (error) {
    // Otherwise an embedded database would be left running by a process that never started.
    await close();
    throw error;
  }
};

/**
 * Waits for the database, brings it up to date and checks the key; if the database becomes unavailable in
 * between, it waits again.
 */
const prepareDatabase = async ({ pool, url }: Database, options: ContextOptions): Promise<KeyRing> => {
  const { env, log, opener, signal } = options;
  for (;;) {
    await waitForDatabase(url, { log, signal });
    try {
      await requireSupportedVersion(pool);
      await bringUpToDate(pool, options);
      await adoptDayOffset(pool, env, opener);
      signal?.throwIfAborted();
      return await openVault(env, pool, opener);
    } catch (error) {
      if (!signal || troubleOf(error) === undefined) throw error;
    }
  }
};

/**
 * On a signal, stops an embedded database that was started for this command: it would outlive the command, and a
 * copy of its directory would not be a backup. What the command was doing is rolled back.
 */
const endOnSignals = (opening: Promise<OpenDatabase>): void => {
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      if (isEnding) return;
      isEnding = true;
      await opening.then(({ stop }) => stop()).catch(() => undefined);
      // As a shell reports a program that a signal ended.
      process.exit(128 + constants.signals[signal]);
    });
  }
};

/**
 * A server migrates the schema to this program's version. A command, which may run next to servers of the
 * previous version, does so only in an empty database.
 */
const bringUpToDate = async (pool: pg.Pool, { env, log, opener, signal }: ContextOptions): Promise<void> => {
  const { applied: appliedBefore, pending, unknown } = await compareMigrations(pool, env.migrationsDir);
  if (unknown.length > 0) {
    // During an upgrade, processes of the previous version may still be restarted.
    const newest = unknown.at(-1);
    log.warn(
      { migrations: unknown.length, newest },
      'the database was migrated by a newer version than this one',
    );
  }
  if (opener === 'command' && appliedBefore.length === 0 && (await hasAnyTable(pool))) {
    throw new UnusableSettings(
      'This database has tables, but not those of SimCube: check DATABASE_URL. Starting a server creates a new installation.',
    );
  }
  if (opener === 'server' || appliedBefore.length === 0) {
    const afterwards = async () => {
      await prepareJobs(pool);
      const now = systemClock.now();
      await ensurePartitions(pool, now, new Date(now.getTime() + monthsAhead * monthMs));
    };
    const applied = await migrate(pool, env.migrationsDir, { log, signal, afterwards });
    if (applied.length > 0) log.info({ applied }, 'database migrations applied');
  } else if (pending.length > 0) {
    throw new Error(
      `The database has not been migrated to this version yet (migrations to apply: ${pending.length}). ` +
        'A server applies them when it starts; if one is starting, try again when it is ready.',
    );
  }
};

interface OpenDatabase {
  url: string;
  stop: () => Promise<void>;
}

const openDatabase = async (env: Env, log: Log, opener: Opener): Promise<OpenDatabase> => {
  if (env.databaseUrl) return { url: env.databaseUrl, stop: async () => undefined };
  if (opener === 'command' && !(await hasCluster(env.dataDir))) {
    throw new UnusableSettings(
      `There is no SimCube database in ${env.dataDir}, and DATABASE_URL is not set. Set DATABASE_URL, or ` +
        `SIMCUBE_DATA_DIR to the installation's data directory, in the environment or in ${env.environmentFile}. ` +
        'Starting the server creates a new installation.',
    );
  }
  return startEmbedded({ dataDir: env.dataDir, user: env.databaseUser, log });
};

/** A command without the right key works as long as it needs none. */
const openVault = async (env: Env, pool: pg.Pool, opener: Opener): Promise<KeyRing> => {
  const keyContext = { pool, source: env, stores: sealedStores };
  try {
    return await openInstallationKey(keyContext, { mayCreate: opener === 'server' });
  } catch (error) {
    if (opener === 'command' && error instanceof UnusableSettings) return closedVault(error);
    throw error;
  }
};
