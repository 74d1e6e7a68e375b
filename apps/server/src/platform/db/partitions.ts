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

/** Tables of which a day (UTC) is a partition, made ahead by their owner's job and dropped by retention. */
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

/** Creates what is missing so that every instant from `from` to `to` has its partition, in every table. */
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
      // Updated in place by every record of the hour or day: leave room so that the updates stay heap-only.
      const fill = table.startsWith('usage_') ? ' with (fillfactor = 70)' : '';
      await create(
        sql,
        `${name} partition of ${table} for values from ('${day(month)}') to ('${day(monthStart(month, 1))}')${fill}`,
      );
    }
  }
};

const dayMs = 86_400_000;

/** Creates the partition of the day of `at`, where it is missing. */
export const ensureDay = async (sql: Sql, table: DailyTable, at: Date): Promise<void> => {
  await create(
    sql,
    `${partitionName(table, at)} partition of ${table}
     for values from ('${day(at)}') to ('${day(new Date(at.getTime() + dayMs))}')`,
  );
};

const duplicateTable = '42P07';

/** "If not exists" looks before it waits for the parent's lock: one who comes second at the same time fails by the name. */
const create = async (sql: Sql, partition: string): Promise<void> => {
  try {
    await sql.query(`create table if not exists ${partition}`);
  } catch (error) {
    if (sqlStateOf(error) !== duplicateTable) throw error;
  }
};

/**
 * Makes sure of the day's partition before a transaction that writes into it, with one statement a day; a job makes it ahead
 * where one runs.
 */
export const dayKeeper = (sql: Sql, table: DailyTable): ((at: Date) => Promise<void>) => {
  let known = '';
  return async (at) => {
    if (known === day(at)) return;
    await ensureDay(sql, table, at);
    known = day(at);
  };
};

const checkViolation = '23514';

/** The time of a row that a statement failed for because its month has no partition. */
export const timeWithoutPartition = (error: unknown): Date | undefined => {
  const { message = '', detail = '' } = error as { message?: string; detail?: string };
  if (sqlStateOf(error) !== checkViolation || !message.startsWith('no partition')) return undefined;
  // "Partition key of the failing row contains (at) = (2026-02-11 10:00:00+00)."
  const [, written] = /= \(([^)]+)\)/.exec(detail) ?? [];
  const time = new Date(written?.replace(/([+-]\d{2})$/, '$1:00') ?? Number.NaN);
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
