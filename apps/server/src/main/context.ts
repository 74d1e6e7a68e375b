import { mkdir } from 'node:fs/promises';
import type pg from 'pg';
import { type Clock, systemClock } from '../platform/clock/index.ts';
import {
  compareMigrations,
  connect,
  createListener,
  type Database,
  ensurePartitions,
  type Listener,
  migrate,
  refuseOldVersion,
  troubleOf,
  waitForDatabase,
} from '../platform/db/index.ts';
import { hasCluster, startEmbedded } from '../platform/embedded/index.ts';
import { type Env, UnusableSettings } from '../platform/env/index.ts';
import { prepareJobs } from '../platform/jobs/index.ts';
import type { Log } from '../platform/log/index.ts';
import type { Metrics } from '../platform/metrics/index.ts';
import { type KeyRing, openInstallationKey, shutVault } from '../platform/secrets/index.ts';
import { adoptDayOffset } from './day-offset.ts';
import { sealedStores } from './sealed-stores.ts';

/** What every module may be handed: the outside world of this process. */
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
  /** Ends the wait for the database; without one nothing is waited for. */
  signal?: AbortSignal;
}

const monthsAhead = 3;
const monthMs = 31 * 24 * 3600 * 1000;

/** A server makes what its installation lacks (database, key); a command joins what is there, or is refused. */
export type Opener = 'server' | 'command';

/**
 * Opens the database (the one of the settings, one that runs here already, or our own, started now), brings it up
 * to date, and everything else that a process of SimCube needs.
 * @throws UnusableSettings; AbortError when told to stop
 */
export const openContext = async (options: ContextOptions): Promise<Context> => {
  const { env, log, metrics, opener } = options;
  if (opener === 'server') await mkdir(env.dataDir, { recursive: true });
  const { url, stop } = await openDatabase(env, log, opener);
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
    const vault = await prepareDatabase(database, options);
    listener = createListener(url, log, env.roles);
    return { env, log, clock: systemClock, metrics, vault, database, listener, close };
  } catch (error) {
    // Without this an embedded database would be left running behind a process that never came up.
    await close();
    throw error;
  }
};

/** Waits for it, brings it up to date and checks the key; one that goes away in the middle is waited for again. */
const prepareDatabase = async ({ pool, url }: Database, options: ContextOptions): Promise<KeyRing> => {
  const { env, log, opener, signal } = options;
  for (;;) {
    await waitForDatabase(url, { log, signal });
    try {
      await refuseOldVersion(pool);
      await bringUpToDate(pool, options);
      await adoptDayOffset(pool, env);
      signal?.throwIfAborted();
      return await openVault(env, pool, opener);
    } catch (error) {
      if (!signal || troubleOf(error) === undefined) throw error;
    }
  }
};

/**
 * A server changes the schema to this program's; a command, which may run beside servers of the version before, does so in an
 * empty database alone.
 */
const bringUpToDate = async (pool: pg.Pool, { env, log, opener, signal }: ContextOptions): Promise<void> => {
  const { applied: before, pending, unknown } = await compareMigrations(pool, env.migrationsDir);
  if (unknown.length > 0) {
    // Of an upgrade that goes on: processes of the version before are started again all the same.
    const newest = unknown.at(-1);
    log.warn(
      { migrations: unknown.length, newest },
      'the database was migrated by a newer version than this',
    );
  }
  if (opener === 'server' || before.length === 0) {
    const afterwards = async () => {
      await prepareJobs(pool);
      const now = systemClock.now();
      await ensurePartitions(pool, now, new Date(now.getTime() + monthsAhead * monthMs));
    };
    const applied = await migrate(pool, env.migrationsDir, { log, signal, afterwards });
    if (applied.length > 0) log.info({ applied }, 'database migrations applied');
  } else if (pending.length > 0) {
    throw new Error(
      `The database is not yet of this version (migrations to apply: ${pending.length}). ` +
        'The start of a server applies them; where one is starting, try again when it is ready.',
    );
  }
};

const openDatabase = async (
  env: Env,
  log: Log,
  opener: Opener,
): Promise<{ url: string; stop: () => Promise<void> }> => {
  if (env.databaseUrl) return { url: env.databaseUrl, stop: async () => undefined };
  if (opener === 'command' && !(await hasCluster(env.dataDir))) {
    throw new UnusableSettings(
      `There is no SimCube database in ${env.dataDir}, and DATABASE_URL is not set. Set DATABASE_URL, or ` +
        `SIMCUBE_DATA_DIR to the installation's data directory, in the environment or in ${env.environmentFile}. ` +
        'A new installation is made by starting the server.',
    );
  }
  return startEmbedded({ dataDir: env.dataDir, user: env.databaseUser, log });
};

/** A command without the right key works as far as it needs none. */
const openVault = async (env: Env, pool: pg.Pool, opener: Opener): Promise<KeyRing> => {
  const question = { pool, source: env, stores: sealedStores };
  try {
    return await openInstallationKey(question, { mayCreate: opener === 'server' });
  } catch (error) {
    if (opener === 'command' && error instanceof UnusableSettings) return shutVault(error);
    throw error;
  }
};
