import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log/index.ts';

/**
 * Frees the jobs of killed workers, which the queue itself does only after four hours. Each process holds, on
 * one connection, an advisory lock named after its worker pool, under whose name the queue records who has a
 * job. When the process dies, the server releases the lock, and any other process that sees a job claimed by a
 * pool without its lock unlocks the job immediately.
 */
export interface WorkerLocks {
  /** Acquires the lock of a pool; if this fails, each check tries again. */
  acquire(poolId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkerLockOptions {
  pool: pg.Pool;
  log: Log;
  /** Pause between checks. */
  everyMs?: number;
  /** How long to wait for a lock; without a response after twice this time, a connection is broken. */
  responseMs?: number;
}

export const sweepMs = 5000;
/** Distinguishes these locks from every other advisory lock of this database. */
const lockKey = `hashtextextended('simcube workers ' || $1, 0)`;

export const holdWorkerLocks = ({
  pool,
  log,
  everyMs = sweepMs,
  responseMs = 10_000,
}: WorkerLockOptions): WorkerLocks => {
  const ids = new Set<string>();
  const stopping = new AbortController();
  let holder: pg.PoolClient | undefined;
  /** The pools whose locks `holder` holds: until its session ends. */
  let held = new Set<string>();
  // One statement at a time on the connection that holds the locks.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work, work);
    turn = result;
    return result;
  };

  /** Closing the connection releases the locks. */
  const discard = (client: pg.PoolClient) => {
    if (holder !== client) return;
    holder = undefined;
    client.release(true);
  };

  const connectHolder = async (): Promise<pg.PoolClient> => {
    const client = await pool.connect();
    client.on('error', () => discard(client));
    holder = client;
    held = new Set();
    return client;
  };

  /**
   * Makes sure that the locks are held. The server, or a proxy in between, may have ended the session unnoticed:
   * only a response proves that it exists.
   */
  const confirmLocks = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    const client = holder ?? (await connectHolder());
    const query = (text: string, values?: string[]) => client.query(timed(responseMs, text, values));
    try {
      // The server may hold on to a lost connection's lock for longer.
      await query(`set lock_timeout = ${responseMs}`);
      for (const id of ids) {
        if (held.has(id)) continue;
        await query(`select pg_advisory_lock(${lockKey})`, [id]);
        held.add(id);
      }
    } catch (error) {
      discard(client);
      throw error;
    }
  };

  const sweep = async () => {
    // Without its locks, this process would take its own jobs for those of a dead one.
    await inTurn(confirmLocks);
    await freeJobsOfDeadWorkers({ pool, log, responseMs });
  };
  const sweeping = (async () => {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: Error) =>
        log.warn({ err: error }, 'the locks of job workers could not be checked'),
      );
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  return {
    acquire: (id) => {
      ids.add(id);
      return inTurn(confirmLocks);
    },
    async stop() {
      stopping.abort();
      await sweeping;
      await inTurn(async () => {
        if (holder) discard(holder);
      });
    },
  };
};

/** Unlocks the jobs of pools whose lock is not held. */
const freeJobsOfDeadWorkers = async ({
  pool,
  log,
  responseMs,
}: Pick<Required<WorkerLockOptions>, 'pool' | 'log' | 'responseMs'>): Promise<void> => {
  const { rows } = await pool.query<{ pool: string }>(
    timed(
      responseMs,
      `select pool from (
         select distinct locked_by as pool from graphile_worker._private_jobs
         where locked_by is not null and locked_at < now() - interval '3 s') claimed
       where pg_try_advisory_xact_lock(hashtextextended('simcube workers ' || pool, 0))`,
    ),
  );
  const dead = rows.map((row) => row.pool);
  if (dead.length === 0) return;
  await pool.query(timed(responseMs, 'select graphile_worker.force_unlock_workers($1)', [dead]));
  log.info({ dead }, 'jobs of dead workers were returned to the queue');
};

/** A statement that fails, with its connection, without a response: it must not delay the next check. */
const timed = (responseMs: number, text: string, values: unknown[] = []): pg.QueryConfig => {
  const config: pg.QueryConfig & { query_timeout: number } = { text, values, query_timeout: 2 * responseMs };
  return config;
};
