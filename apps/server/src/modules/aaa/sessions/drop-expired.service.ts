import type pg from 'pg';
import { retainedSince } from '../../usage/index.ts';
import { dropFiledSessions } from '../filed/filed-sessions.queries.ts';
import { trimRejects } from './sweep.queries.ts';

/** Rows deleted by one statement: few enough for its time limit. */
const rowsPerStatement = 20_000;

/**
 * Deletes everything whose retention has ended: as much as an access storm brought in an hour must not take days to go.
 * Stops between statements when the job is aborted.
 */
export const dropExpired = async (
  pool: pg.Pool,
  now: Date,
  { signal, perStatement = rowsPerStatement }: { signal?: AbortSignal; perStatement?: number } = {},
): Promise<void> => {
  const before = retainedSince('cdrs', now);
  const deletions = [
    () => trimRejects(pool, now, perStatement),
    () => dropFiledSessions(pool, { before, limit: perStatement }),
  ];
  for (const deleteSome of deletions) {
    while (!signal?.aborted && (await deleteSome()) === perStatement);
  }
};
