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
  acquire(poolId: string): Promise<void>;
  stop(): Promise<void>;
}

export const sweepMs = 5000;
/** Distinguishes these locks from every other advisory lock of this database. */
const lockKey = `hashtextextended('simcube workers ' || $1, 0)`;

export const holdWorkerLocks = (pool: pg.Pool, log: Log): WorkerLocks => {
  const ids = new Set<string>();
  const stopping = new AbortController();
  let holder: pg.PoolClient | undefined;
  // One statement at a time on the connection that holds the locks.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work, work);
    turn = result;
    return result;
  };

  const connectHolder = async (): Promise<pg.PoolClient> => {
    if (holder) return holder;
    const client = await pool.connect();
    const discardHolder = () => {
      if (holder !== client) return;
      holder = undefined;
      client.release(true);
    };
    client.on('error', discardHolder);
    for (const id of ids) await client.query(`select pg_advisory_lock(${lockKey})`, [id]);
    holder = client;
    return client;
  };

  const sweep = async () => {
    await inTurn(connectHolder);
    await freeJobsOfDeadWorkers(pool, log);
  };
  const sweeping = (async () => {
    while (!stopping.signal.aborted) {
      await sweep().catch((error: Error) => log.warn({ err: error }, 'dead workers could not be queried'));
      await sleep(sweepMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  return {
    acquire: (id) =>
      inTurn(async () => {
        const client = await connectHolder();
        ids.add(id);
        await client.query(`select pg_advisory_lock(${lockKey})`, [id]);
      }),
    async stop() {
      stopping.abort();
      await sweeping;
      // Closing the connection releases the locks.
      const client = holder;
      holder = undefined;
      client?.release(true);
    },
  };
};

/** Unlocks the jobs of pools whose lock is not held. */
const freeJobsOfDeadWorkers = async (pool: pg.Pool, log: Log): Promise<string[]> => {
  const { rows } = await pool.query<{ pool: string }>(
    `select pool from (
       select distinct locked_by as pool from graphile_worker._private_jobs
       where locked_by is not null and locked_at < now() - interval '3 s') claimed
     where pg_try_advisory_xact_lock(hashtextextended('simcube workers ' || pool, 0))`,
  );
  const dead = rows.map((row) => row.pool);
  if (dead.length > 0) {
    await pool.query('select graphile_worker.force_unlock_workers($1)', [dead]);
    log.info({ dead }, 'jobs of dead workers were returned to the queue');
  }
  return dead;
};
