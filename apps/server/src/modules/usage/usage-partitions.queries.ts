import {
  dropPartitionsBefore,
  ensurePartitions,
  type PartitionedTable,
  partitionedTables,
  type Sql,
} from '../../platform/db/index.ts';

const monthsAhead = 3;
const monthMs = 31 * 86_400_000;

/** Makes the partitions of this month and the next three, where they are missing. */
export const keepPartitions = (sql: Sql, now: Date): Promise<void> =>
  ensurePartitions(sql, now, new Date(now.getTime() + monthsAhead * monthMs));

/** Start of the oldest month that every heavy table still has; of this month when there is none. */
export const oldestKept = async (sql: Sql, now: Date): Promise<Date> => {
  const { rows } = await sql.query<{ month: string | null }>(
    `select max(oldest) as month from (
       select min(right(c.relname, 7)) as oldest from pg_class c join pg_inherits i on i.inhrelid = c.oid
       join pg_class p on p.oid = i.inhparent where p.relname = any($1) group by p.relname) as months`,
    [partitionedTables],
  );
  const [year, month] = (rows[0]?.month ?? '').split('_').map(Number);
  if (!year || !month) return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return new Date(Date.UTC(year, month - 1, 1));
};

/** Months that records are kept, by table. Sessions are kept as long as CDRs: they know what was counted. */
export const monthsKept: Record<PartitionedTable, number> = {
  cdrs: 13,
  usage_hourly: 13,
  usage_daily: 37,
  sim_events: 25,
};

/** Drops what is older than is kept. @returns names of the partitions that are gone */
export const dropOldPartitions = async (sql: Sql, now: Date): Promise<string[]> => {
  const dropped: string[] = [];
  for (const table of partitionedTables) {
    const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsKept[table], 1));
    dropped.push(...(await dropPartitionsBefore(sql, table, before)));
  }
  return dropped;
};
