import { dayMs } from '@simcube/contract/time';
import type { Sql } from './pool.ts';
import { sqlStateOf } from './sql-state.ts';

/** The heavy tables: range-partitioned by calendar month (UTC), created ahead by a job and dropped by retention. */
export const partitionedTables = [
  'cdrs',
  'usage_hourly',
  'usage_daily',
  'sim_events',
  'sms_messages',
  'sms_contents',
] as const;
export type PartitionedTable = (typeof partitionedTables)[number];

/** Tables with a partition per day (UTC), created ahead by their owner's job and dropped by retention. */
const dailyTables = ['api_calls', 'delivery_exchanges', 'webhook_events'] as const;
export type DailyTable = (typeof dailyTables)[number];

const monthStart = (at: Date, offset = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1));
const day = (at: Date): string => at.toISOString().slice(0, 10);

/** Name of the partition that holds `at`, for example `cdrs_2026_11`, `api_calls_2026_11_21`. */
const partitionName = (table: PartitionedTable | DailyTable, at: Date): string =>
  `${table}_${day(at)
    .slice(0, dailyTables.some((one) => one === table) ? 10 : 7)
    .replaceAll('-', '_')}`;

/** Creates missing partitions so that every instant from `from` to `to` has one, in every table. */
export const ensurePartitions = async (sql: Sql, from: Date, to: Date): Promise<void> => {
  const existing = new Set(
    (
      await sql.query<{ relname: string }>(
        `select c.relname from pg_class c join pg_inherits i on i.inhrelid = c.oid
         join pg_class p on p.oid = i.inhparent where p.relname = any($1)`,
        [partitionedTables],
      )
    ).rows.map((row) => row.relname),
  );
  for (let month = monthStart(from); month <= to; month = monthStart(month, 1)) {
    for (const table of partitionedTables) {
      const name = partitionName(table, month);
      if (existing.has(name)) continue;
      // Updated in place by every record of the hour or day: leave space so that updates stay heap-only.
      const storage = table.startsWith('usage_') ? ' with (fillfactor = 70)' : '';
      await create(
        sql,
        `${name} partition of ${table} for values from ('${day(month)}') to ('${day(monthStart(month, 1))}')${storage}`,
      );
    }
  }
};

/** Creates the partition of the day of `at` if it is missing. */
export const ensureDayPartition = async (sql: Sql, table: DailyTable, at: Date): Promise<void> => {
  await create(
    sql,
    `${partitionName(table, at)} partition of ${table}
     for values from ('${day(at)}') to ('${day(new Date(at.getTime() + dayMs))}')`,
  );
};

const duplicateTable = '42P07';

/**
 * "If not exists" checks before it waits for the parent's lock: of two concurrent calls, the second fails
 * because the name exists.
 */
const create = async (sql: Sql, partition: string): Promise<void> => {
  try {
    await sql.query(`create table if not exists ${partition}`);
  } catch (error) {
    if (sqlStateOf(error) !== duplicateTable) throw error;
  }
};

/**
 * Ensures that the day's partition exists before a transaction writes into it, with one statement per day;
 * where jobs run, a job creates it ahead.
 */
export const memoizedEnsureDayPartition = (sql: Sql, table: DailyTable): ((at: Date) => Promise<void>) => {
  let ensuredDay = '';
  return async (at) => {
    if (ensuredDay === day(at)) return;
    await ensureDayPartition(sql, table, at);
    ensuredDay = day(at);
  };
};

const checkViolation = '23514';

/** The time of a row whose statement failed because its month has no partition. */
export const missingPartitionTime = (error: unknown): Date | undefined => {
  const { message = '', detail = '' } = error as { message?: string; detail?: string };
  if (sqlStateOf(error) !== checkViolation || !message.startsWith('no partition')) return undefined;
  // "Partition key of the failing row contains (at) = (2026-02-11 10:00:00+00)."
  const [, timestamp] = /= \(([^)]+)\)/.exec(detail) ?? [];
  const time = new Date(timestamp?.replace(/([+-]\d{2})$/, '$1:00') ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
};

/** Names of the partitions of `table` that end before `before`. */
export const listPartitionsBefore = async (
  sql: Sql,
  table: PartitionedTable | DailyTable,
  before: Date,
): Promise<string[]> => {
  const oldest = partitionName(table, before);
  const { rows } = await sql.query<{ relname: string }>(
    `select c.relname from pg_class c join pg_inherits i on i.inhrelid = c.oid
     join pg_class p on p.oid = i.inhparent where p.relname = $1 and c.relname < $2 order by 1`,
    [table, oldest],
  );
  return rows.map((row) => row.relname);
};

/** Drops the partitions of `table` that end before `before`. @returns their names */
export const dropPartitionsBefore = async (
  sql: Sql,
  table: PartitionedTable | DailyTable,
  before: Date,
): Promise<string[]> => {
  const names = await listPartitionsBefore(sql, table, before);
  for (const name of names) await sql.query(`drop table ${name}`);
  return names;
};
