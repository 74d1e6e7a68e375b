import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { troubleOf } from '../db/index.ts';

const firstPauseMs = 100;
const maxPauseMs = 2_000;

/**
 * Repeats the work, with growing pauses, while the database can't serve.
 * @throws the last error once `signal` is aborted
 */
export const retryWhileUnavailable = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || troubleOf(error) === undefined) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
};

/**
 * The pool for the queue's library, which gives up its workers when it can't record the end of a job. So while
 * the database can't serve, a statement waits and is sent again, until `signal`. Each of its statements is
 * independent and may be repeated; the connection on which it listens comes directly from the pool.
 */
export const retryingPool = (pool: pg.Pool, signal: AbortSignal): pg.Pool => {
  const query = (...args: unknown[]): Promise<unknown> =>
    retryWhileUnavailable(
      () => (pool.query as (...target: unknown[]) => Promise<unknown>).apply(pool, args),
      signal,
    );
  const connect = (callback?: Parameters<pg.Pool['connect']>[0]) =>
    callback ? pool.connect(callback) : Promise.resolve({ query, release: () => undefined });
  return new Proxy(pool, {
    get: (target, name) => {
      if (name === 'query') return query;
      if (name === 'connect') return connect;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};
