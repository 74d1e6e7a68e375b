import type pg from 'pg';
import type { Shards } from '../../../platform/db/index.ts';
import { addUnwritten, holdCounting, type StoredUnwritten } from '../../usage/index.ts';
import type { Changes } from './changes.ts';
import { allWrites, commitPipelined, lateUsageWrite, poolWrite, stateWrites, type Write } from './commit.ts';
import { unwrittenOf } from './histories.ts';

/** First, so that a batch that waits holds no rows. */
const hold: Write = (sql) => [sql.query(holdCounting)];

interface Batch {
  now: number;
  /** Where histories are on a cluster. */
  shards: Shards | undefined;
  /** The latest end of a record that a file had brought when the batch was read. */
  newestImportedAt: number;
  /** It failed before because another transaction was faster. */
  isRetry: boolean;
}

/**
 * Writes a batch in one transaction on a single server. On a cluster, the state of SIMs is committed on the
 * coordinator together with what their nodes must then be given. If a file may have brought the same records,
 * everything is written at the same time, with a two-phase commit, because a key must decide.
 * @returns what nodes must then be given
 */
export const writeBatch = async (
  client: pg.Client,
  changes: Changes,
  { now, shards, newestImportedAt, isRetry }: Batch,
): Promise<StoredUnwritten | undefined> => {
  const unwritten = shards && unwrittenOf(changes, { shards, now });
  const mayBeImported = isRetry || changes.cdrs.some(({ endedAt }) => endedAt <= newestImportedAt);
  if (!unwritten || unwritten.parts.length === 0 || mayBeImported) {
    await commitPipelined(client, [...(shards ? [hold] : []), ...allWrites(changes, now)]);
    return undefined;
  }
  const add = addUnwritten([...changes.sims.keys()], unwritten);
  const results = await commitPipelined(client, [
    hold,
    ...stateWrites(changes),
    lateUsageWrite(changes, now),
    poolWrite(changes),
    (sql) => [sql.query(add)],
  ]);
  const { rows } = results.at(-1) as pg.QueryResult<{ id: number }>;
  return rows[0] && { id: rows[0].id, ...unwritten };
};
