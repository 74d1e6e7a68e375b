import { dayMs } from '@simcube/contract/time';
import type pg from 'pg';
import {
  type ArchivedPartition,
  archivePartition,
  detachPartitionsBefore,
  dropPartitionsBefore,
  ensurePartitions,
  inTransaction,
  listDetachedPartitions,
  partitionedTables,
  type Sql,
} from '../../platform/db/index.ts';
import { dropHandoversBefore } from './handover.queries.ts';
import { retainedSince } from './retention.ts';
import { archivedRows, closeOpenHours } from './usage-partitions.queries.ts';

const monthsAhead = 3;
const monthMs = 31 * dayMs;

/** Creates the missing partitions of this month and the next three. */
export const createUpcomingPartitions = (sql: Sql, now: Date): Promise<void> =>
  ensurePartitions(sql, now, new Date(now.getTime() + monthsAhead * monthMs));

export interface RetentionOptions {
  pool: pg.Pool;
  now: Date;
  /** Directory for archive files of older months; undefined: they are not archived. */
  archiveDir?: string | undefined;
  signal: AbortSignal;
}

export interface RetentionResult {
  /** Partitions that were detached from their tables. */
  names: string[];
  /** Partitions that were written to files and dropped. */
  archived: ArchivedPartition[];
  /** Tables that were detached while an archive was set, and wait until there is one again. */
  waiting: string[];
}

/** Drops months past their retention, after archiving them if configured. */
export const dropOldPartitions = async (options: RetentionOptions): Promise<RetentionResult> => {
  const { pool, now, archiveDir, signal } = options;
  const names: string[] = [];
  for (const table of partitionedTables) {
    const before = retainedSince(table, now);
    const removed = await inTransaction(pool, async (tx) => {
      if (table === 'usage_hourly') {
        await closeOpenHours(tx, before);
        await dropHandoversBefore(tx, { unit: 'hour', before });
      }
      if (table === 'usage_daily') await dropHandoversBefore(tx, { unit: 'day', before });
      return archiveDir === undefined
        ? dropPartitionsBefore(tx, table, before)
        : detachPartitionsBefore(tx, table, { before, on: now });
    });
    names.push(...removed);
  }
  const waiting = await listDetachedPartitions(pool);
  if (archiveDir === undefined) return { names, archived: [], waiting };
  const archived: ArchivedPartition[] = [];
  for (const table of waiting) {
    archived.push(
      await archivePartition(pool, { table, rowsOf: archivedRows, directory: archiveDir, signal }),
    );
  }
  return { names, archived, waiting: [] };
};
