import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/**
 * Runs as the last statement of a transaction: what it writes commits with the work, and an exception rolls
 * both back.
 */
export type CommitGuard = (tx: pg.PoolClient) => Promise<void>;

const guards = new AsyncLocalStorage<CommitGuard>();

/** Does the work; each writing transaction in it calls the guard before it commits. */
export const guardCommits = <T>(guard: CommitGuard, work: () => Promise<T>): Promise<T> =>
  guards.run(guard, work);

/** Called by `inTransaction` before each commit. */
export const runCommitGuard = async (tx: pg.PoolClient): Promise<void> => {
  await guards.getStore()?.(tx);
};
