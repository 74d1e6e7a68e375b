import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log/index.ts';
import type { Sql } from './pool.ts';
import { sqlStateOf } from './sql-state.ts';

/** Any number not used by another advisory lock of this database. */
const migrationLock = 7_341_900_001;

export interface MigrateOptions {
  log?: Log;
  /** Ends the wait and the migration in progress; migrations that were completed stay applied. */
  signal?: AbortSignal | undefined;
  /** How long a migration waits for the lock of a table; everything that uses the table queues behind it. */
  lockMs?: number;
  /** Pause after a lock that was not acquired, doubled each time up to `maxPauseMs`. */
  pauseMs?: number;
  /** Further work that processes which start together must do one after the other. */
  afterwards?: () => Promise<void>;
}

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

const lockPollMs = 250;
const maxPauseMs = 30_000;
/** A migration that takes longer is reported in the log repeatedly while it runs. */
const progressLogMs = 30_000;

/**
 * Brings the schema up to date: applies every missing `NNNN_name.sql` in order, each in its own transaction,
 * under a lock so that processes which start together do it once. A migration takes as long as its rows need.
 * @returns the names applied now
 * @throws Error when an applied file has changed since: migrations are forward only
 */
export const migrate = (pool: pg.Pool, directory: string, options: MigrateOptions = {}): Promise<string[]> =>
  underLock(pool, options, async (client) => {
    await client.query(
      `create table if not exists schema_migrations
         (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations',
    );
    const known = new Map(rows.map((row) => [row.name, row.checksum]));
    const applied: string[] = [];
    for (const name of await listMigrations(directory)) {
      const text = await readFile(join(directory, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const appliedChecksum = known.get(name);
      if (appliedChecksum === checksum) continue;
      if (appliedChecksum) throw new Error(`Migration ${name} was changed after it had been applied`);
      await applyWithRetry(client, { name, text, checksum }, options);
      applied.push(name);
    }
    await options.afterwards?.();
    return applied;
  });

const listMigrations = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();

/** Does `work` while no other process does. */
const underLock = async <T>(
  pool: pg.Pool,
  { log, signal }: MigrateOptions,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  let cancel = (): void => undefined;
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    // The current statement ends immediately; no further one is begun.
    cancel = () => void pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => undefined);
    signal?.addEventListener('abort', cancel);
    // Polled: a statement waiting for the lock would be ended by its time limit.
    for (let attempts = 0; !(await isGranted(client)); attempts += 1) {
      if (attempts === 0) log?.info('another process is migrating the database; waiting for it');
      await sleep(lockPollMs, undefined, { signal });
    }
    return await work(client);
  } finally {
    signal?.removeEventListener('abort', cancel);
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
};

const isGranted = async (client: pg.PoolClient): Promise<boolean> => {
  const { rows } = await client.query<{ granted: boolean }>('select pg_try_advisory_lock($1) as granted', [
    migrationLock,
  ]);
  return rows[0]?.granted === true;
};

/** SQLSTATEs of a lock that was not acquired in time, and of a deadlock. */
const lockNotAcquired = new Set(['55P03', '40P01']);

/** Retries until all locks are acquired; during the pauses the statements queued behind them can run. */
const applyWithRetry = async (
  client: pg.PoolClient,
  migration: Migration,
  { log, signal, lockMs = 5_000, pauseMs = 1_000 }: MigrateOptions,
): Promise<void> => {
  const { name } = migration;
  const progressLog = setInterval(
    () => log?.info({ migration: name }, 'a migration is running'),
    progressLogMs,
  );
  try {
    for (let pause = pauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
      signal?.throwIfAborted();
      try {
        await apply(client, migration, lockMs);
        return;
      } catch (error) {
        await client.query('rollback').catch(() => undefined);
        if (!lockNotAcquired.has(sqlStateOf(error) ?? '')) throw error;
      }
      const longest = await findLongestTransaction(client);
      log?.warn(
        { migration: name, retryInMs: pause, longestTransaction: longest },
        'a migration is waiting for tables in use; retrying',
      );
      await sleep(pause, undefined, { signal });
    }
  } finally {
    clearInterval(progressLog);
  }
};

const apply = async (
  client: pg.PoolClient,
  { name, text, checksum }: Migration,
  lockMs: number,
): Promise<void> => {
  await client.query('begin');
  await client.query(`set local statement_timeout = 0; set local lock_timeout = ${lockMs}`);
  await client.query(text);
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  await client.query('commit');
};

interface Transaction {
  pid: number;
  /** Its application_name. */
  name: string;
  seconds: number;
}

/** The other transaction of this database that has been running longest: most likely it holds the lock. */
const findLongestTransaction = async (sql: Sql): Promise<Transaction | undefined> => {
  const { rows } = await sql.query<Transaction>(
    `select pid, coalesce(nullif(application_name, ''), backend_type) as name,
       round(extract(epoch from clock_timestamp() - xact_start))::int as seconds
     from pg_stat_activity
     where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
     order by xact_start limit 1`,
  );
  return rows[0];
};

/** Names of applied migrations; empty for a database that no server has opened yet. */
export const listAppliedMigrations = async (sql: Sql): Promise<string[]> => {
  const { rows: known } = await sql.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  if (known[0]?.exists !== true) return [];
  const { rows } = await sql.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
};

export interface SchemaState {
  applied: string[];
  /** Migrations that the next start of a server applies. */
  pending: string[];
  /** Migrations that a newer program applied. */
  unknown: string[];
}

/** Whether the database has a table of another program: not of PostgreSQL, its extensions, or a migration that has just begun. */
export const hasAnyTable = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ has: boolean }>(
    `select exists (
       select from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname !~ '^(pg_|information_schema$)' and c.relname <> 'schema_migrations'
         and not exists (select from pg_depend d
           where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')) as has`,
  );
  return rows[0]?.has === true;
};

/** Compares the database's schema with this program's migrations. */
export const compareMigrations = async (sql: Sql, directory: string): Promise<SchemaState> => {
  const applied = await listAppliedMigrations(sql);
  const known = await listMigrations(directory);
  return {
    applied,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
};
