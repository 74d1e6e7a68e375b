import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isTracing, traceStatements } from '../tracing/index.ts';
import { runCommitGuard } from './commit-guard.ts';
import type { DB } from './schema.gen.ts';
import { refuseReadOnly } from './trouble.ts';

/** A statement to send, alone or with others in a pipeline. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** A pool, or a client inside a transaction: anything that can run a statement. */
export type Sql = Pick<pg.Pool | pg.PoolClient, 'query'>;
export type Db = Kysely<DB>;

const int8 = 20;
const numeric = 1700;
const date = 1082;

/** How values from the database are parsed, on every connection. */
export const safeTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    // Ids and byte counts stay below 2^53 (8 PiB); beyond it an error is better than a wrong number (decision
    // 13).
    if (oid === int8 && format !== 'binary') return parseSafeInteger;
    // Sums of bigint are numeric. Fractions are not byte counts and stay text.
    if (oid === numeric && format !== 'binary') return parseNumeric;
    // A date has no time zone; a Date would shift it by the process's own.
    if (oid === date && format !== 'binary') return (value: string) => value;
    return pg.types.getTypeParser(oid, format);
  },
};

const isInteger = /^-?\d+$/;

const parseSafeInteger = (value: string): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError('An integer from the database exceeds 2^53');
  return number;
};

const parseNumeric = (value: string): number | string =>
  isInteger.test(value) ? parseSafeInteger(value) : value;

export interface Database {
  pool: pg.Pool;
  /** Typed SQL over the same pool. */
  db: Db;
  url: string;
  close(): Promise<void>;
}

export interface ConnectOptions {
  url: string;
  max: number;
  /** Shown in pg_stat_activity. */
  name: string;
  onError: (error: Error) => void;
  /** Time limit of a statement; two minutes by default. */
  statementSeconds?: number;
}

export const connect = ({ url, max, name, onError, statementSeconds = 120 }: ConnectOptions): Database => {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: safeTypes,
    application_name: name,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    onConnect: refuseReadOnly,
    // Compiling a plan (JIT) or starting parallel workers takes longer than this program's short statements. So
    // does a new connection from a cluster's coordinator to a node, whose caches are empty: existing
    // connections are used for up to this long (ms) before another is opened.
    options:
      `-c timezone=UTC -c statement_timeout=${statementSeconds}s -c idle_in_transaction_session_timeout=60s ` +
      '-c jit=off -c max_parallel_workers_per_gather=0 -c citus.executor_slow_start_interval=200',
  });
  // Without a listener, losing an idle connection would end the process; the pool replaces it automatically.
  pool.on('error', onError);
  // The same for a checked-out connection; its holder also gets the statement's error.
  pool.on('connect', (client) => client.on('error', onError));
  if (isTracing()) pool.on('connect', traceStatements);
  return { pool, db: typed(pool), url, close: () => pool.end() };
};

const pools = new WeakMap<Db, pg.Pool>();

/** Typed SQL over an existing pool. */
export const typed = (pool: pg.Pool): Db => {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  return db;
};

/** The pool of a typed `Db`, for what Kysely does not support. */
export const poolOf = (db: Db): pg.Pool => {
  const pool = pools.get(db);
  if (!pool) throw new Error('A transaction has no pool');
  return pool;
};

/** Typed SQL within a transaction, on its connection. */
export const typedWithin = (tx: Sql): Db => {
  const client = { query: tx.query.bind(tx) as pg.PoolClient['query'], release: () => undefined };
  const pool = { connect: () => Promise.resolve(client), end: () => Promise.resolve() };
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
};

/** Runs `work` in one transaction on one connection; any exception rolls back, including one of the commit guard. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await runCommitGuard(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

/** A separate connection in a read-only transaction, for work that returns pieces gradually. */
export interface Snapshot {
  client: pg.PoolClient;
  /** Commits. */
  end(): Promise<void>;
  /** Returns the connection to the pool; if its transaction was not ended, it is closed in whatever state it is. */
  release(): void;
}

/**
 * Opens a snapshot of the current data that lasts as long as reading takes. A read-only transaction has no id,
 * so the outbox's readers don't wait for its end.
 */
export const openSnapshot = async (pool: pg.Pool): Promise<Snapshot> => {
  const client = await pool.connect();
  let isCommitted = false;
  await client.query('begin isolation level repeatable read, read only').catch((error: Error) => {
    client.release(error);
    throw error;
  });
  return {
    client,
    end: async () => {
      await client.query('commit');
      isCommitted = true;
    },
    release: () => client.release(!isCommitted),
  };
};

/**
 * Reads everything as of one moment: later writes are not seen, and nothing can be written, so it does not
 * count as the work of an idempotent call (`guardCommits`).
 */
export const inSnapshot = async <T>(pool: pg.Pool, read: (tx: Sql) => Promise<T>): Promise<T> => {
  const snapshot = await openSnapshot(pool);
  try {
    const result = await read(snapshot.client);
    await snapshot.end();
    return result;
  } finally {
    snapshot.release();
  }
};

/** SQLSTATE of a transaction that the database aborted to resolve a deadlock. */
const deadlockDetected = '40P01';
const maxAttempts = 3;

/**
 * Like `inTransaction`, for transactions that lock the same rows as others in a different order: one that is
 * aborted by a deadlock is run again, so `work` must do nothing but query the database.
 */
export const inRepeatableTransaction = async <T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlockDetected || attempt === maxAttempts) throw error;
    }
  }
};
