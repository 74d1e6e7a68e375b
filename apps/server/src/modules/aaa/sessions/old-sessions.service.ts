import type pg from 'pg';
import { inTransaction } from '../../../platform/db/index.ts';
import { retainedSince } from '../../usage/index.ts';
import { deleteSessionsInPages, finishWalk, hasPagesFrom, openWalk } from './old-sessions.queries.ts';

/** Pages (8 kB) read by one statement, and by one run, of each node's part. */
const pagesPerStatement = 8192;
const pagesPerRun = 128 * pagesPerStatement;

/**
 * Deletes closed sessions whose records are no longer retained either. They expire by whole months, so the table is
 * scanned once a month from its first page to its last; each run continues where the previous one ended.
 * @returns how many
 */
export const dropOldSessions = async (
  pool: pg.Pool,
  now: Date,
  { perStatement = pagesPerStatement, perRun = pagesPerRun }: { perStatement?: number; perRun?: number } = {},
): Promise<number> => {
  const before = retainedSince('cdrs', now);
  const begin = await openWalk(pool, before);
  if (begin === undefined) return 0;
  let dropped = 0;
  for (let from = begin; from < begin + perRun; from += perStatement) {
    if (!(await hasPagesFrom(pool, from))) {
      await finishWalk(pool, before, now);
      break;
    }
    dropped += await inTransaction(pool, (tx) =>
      deleteSessionsInPages(tx, { before, from, to: from + perStatement }),
    );
  }
  return dropped;
};
