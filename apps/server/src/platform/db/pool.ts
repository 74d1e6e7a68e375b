import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isTracing, traceStatements } from '../tracing/index.ts';
import { askCommitGuard } from './commit-guard.ts';
import type { DB } from './schema.gen.ts';
import { refuseReadOnly } from './trouble.ts';

/** A statement to send, alone or among others in a pipeline. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** A pool or a client inside a transaction: whatever can run a statement. */
export type Sql = Pick<pg.Pool | pg.PoolClient, 'query'>;
export type Db = Kysely<DB>;

const int8 = 20;
const numeric = 1700;
const date = 1082;

/** How values come from the database, wherever a connection of its own is opened. */
export const safeTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    // Identities and byte counts stay below 2^53 (8 PiB); beyond it an error beats a wrong figure (decision 13).
    if (oid === int8 && format !== 'binary') return parseSafeInteger;
    // Sums of bigint are numeric. Fractions are not byte counts, and stay text.
    if (oid === numeric && format !== 'binary') return parseNumeric;
    // A date has no time zone; a Date would move it by the process's own.
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
  /** Seen in pg_stat_activity. */
  name: string;
  onError: (error: Error) => void;
  /** How long a statement may take; two minutes unless said. */
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
    // Compiling a plan or starting workers for it takes longer than the short statements of this program. So does a new connection of
    // a cluster's coordinator to a node, which knows no table yet: those that it has are used up to this long (ms) before it opens more.
    options:
      `-c timezone=UTC -c statement_timeout=${statementSeconds}s -c idle_in_transaction_session_timeout=60s ` +
      '-c jit=off -c max_parallel_workers_per_gather=0 -c citus.executor_slow_start_interval=200',
  });
  // Without a listener a connection lost while idle would end the process; the pool replaces it automatically.
  pool.on('error', onError);
  // The same for one lost while it is checked out; its holder also gets the error of the statement.
  pool.on('connect', (client) => client.on('error', onError));
  if (isTracing()) pool.on('connect', traceStatements);
  return { pool, db: typed(pool), url, close: () => pool.end() };
};

const pools = new WeakMap<Db, pg.Pool>();

/** Typed SQL over a pool that is open already. */
export const typed = (pool: pg.Pool): Db => {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  pools.set(db, pool);
  return db;
};

/** The pool under typed SQL, for what Kysely does not know. */
export const poolOf = (db: Db): pg.Pool => {
  const pool = pools.get(db);
  if (!pool) throw new Error('A transaction has no pool');
  return pool;
};

/** Typed SQL within a transaction, over its connection. */
export const typedWithin = (tx: Sql): Db => {
  const client = { query: tx.query.bind(tx) as pg.PoolClient['query'], release: () => undefined };
  const pool = { connect: () => Promise.resolve(client), end: () => Promise.resolve() };
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
};

/** Runs `work` in one transaction on one connection; any throw rolls back, one of the commit guard's too. */
export const inTransaction = async <T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await askCommitGuard(client);
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

/** A connection of one's own with a transaction begun that only reads, for work that hands out pieces bit by bit. */
export interface Snapshot {
  client: pg.PoolClient;
  /** Commits. */
  end(): Promise<void>;
  /** Gives the connection back; one whose transaction was not ended is closed with whatever it was doing. */
  release(): void;
}

/**
 * Everything as it is now, for as long as it takes to read: a transaction that only reads has no id, so that the readers
 * of the outbox don't wait for its end.
 */
export const openSnapshot = async (pool: pg.Pool): Promise<Snapshot> => {
  const client = await pool.connect();
  let isOver = false;
  await client.query('begin isolation level repeatable read, read only').catch((error: Error) => {
    client.release(error);
    throw error;
  });
  return {
    client,
    end: async () => {
      await client.query('commit');
      isOver = true;
    },
    release: () => client.release(!isOver),
  };
};

/**
 * Reads everything as it is at one moment; what is written meanwhile is not seen, and nothing can be written: neither does
 * it count as the work of a call that is done once (`askCommitGuard`).
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

/** SQLSTATE of a transaction that the database aborted so that another could continue. */
const deadlockDetected = '40P01';
const triesAtMost = 3;

/**
 * The same for a transaction that locks rows which others lock in another order: the one that is given up for a deadlock
 * begins again, so `work` must do nothing but ask the database.
 */
export const inRepeatableTransaction = async <T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await inTransaction(pool, work);
    } catch (error) {
      if ((error as { code?: unknown }).code !== deadlockDetected || tried === triesAtMost) throw error;
    }
  }
};
