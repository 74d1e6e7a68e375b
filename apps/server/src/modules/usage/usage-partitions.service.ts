import type pg from 'pg';
import {
  dropPartitionsBefore,
  ensurePartitions,
  inTransaction,
  partitionedTables,
  type Sql,
} from '../../platform/db/index.ts';
import { closeOpenHours, retentionMonths } from './usage-partitions.queries.ts';

const monthsAhead = 3;
const monthMs = 31 * 86_400_000;

/** Makes the partitions of this month and the next three, where they are missing. */
export const keepPartitions = (sql: Sql, now: Date): Promise<void> =>
  ensurePartitions(sql, now, new Date(now.getTime() + monthsAhead * monthMs));

/** Drops what is older than is kept. @returns names of the partitions that are gone */
export const dropOldPartitions = async (pool: pg.Pool, now: Date): Promise<string[]> => {
  const dropped: string[] = [];
  for (const table of partitionedTables) {
    const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - retentionMonths[table], 1));
    const names = await inTransaction(pool, async (tx) => {
      if (table === 'usage_hourly') await closeOpenHours(tx, before);
      return dropPartitionsBefore(tx, table, before);
    });
    dropped.push(...names);
  }
  return dropped;
};
