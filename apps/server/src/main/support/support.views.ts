import type { Sql } from '../../platform/db/index.ts';

export interface TableSize {
  schema: string;
  table: string;
  /** The parent table of a partition. */
  partitionOf: string | null;
  /** As the planner estimates them; -1 until the table is analysed. */
  rows: number;
  deadRows: number;
  tableBytes: number;
  indexBytes: number;
  totalBytes: number;
  analyzedAt: Date | null;
  vacuumedAt: Date | null;
}

/** Tables and partitions with their size on disk, the largest first. Partitioned tables themselves take no space. */
export const listTableSizes = async (sql: Sql): Promise<TableSize[]> =>
  (
    await sql.query<TableSize>(
      `select n.nspname as schema, c.relname as table,
         (select p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid)
           as "partitionOf",
         c.reltuples::float8 as rows, coalesce(s.n_dead_tup, 0) as "deadRows",
         pg_table_size(c.oid) as "tableBytes", pg_indexes_size(c.oid) as "indexBytes",
         pg_total_relation_size(c.oid) as "totalBytes",
         greatest(s.last_analyze, s.last_autoanalyze) as "analyzedAt",
         greatest(s.last_vacuum, s.last_autovacuum) as "vacuumedAt"
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
         left join pg_stat_all_tables s on s.relid = c.oid
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
       order by pg_total_relation_size(c.oid) desc, n.nspname, c.relname`,
    )
  ).rows;

/** Settings for the database's speed, safety and number of connections. */
const settingNames = [
  'autovacuum',
  'autovacuum_max_workers',
  'autovacuum_naptime',
  'autovacuum_vacuum_cost_limit',
  'checkpoint_timeout',
  'default_transaction_isolation',
  'default_transaction_read_only',
  'effective_cache_size',
  'fsync',
  'full_page_writes',
  'hot_standby',
  'idle_in_transaction_session_timeout',
  'jit',
  'lc_collate',
  'lock_timeout',
  'maintenance_work_mem',
  'max_connections',
  'max_locks_per_transaction',
  'max_parallel_workers',
  'max_parallel_workers_per_gather',
  'max_wal_size',
  'max_worker_processes',
  'random_page_cost',
  'server_encoding',
  'server_version',
  'shared_buffers',
  'statement_timeout',
  'synchronous_commit',
  'TimeZone',
  'wal_level',
  'work_mem',
];

export interface DatabaseSetting {
  name: string;
  value: string;
  unit: string | null;
  /** Where it was set: `default`, `configuration file`, `database`, … */
  source: string;
  needsRestart: boolean;
}

export const listDatabaseSettings = async (sql: Sql): Promise<DatabaseSetting[]> =>
  (
    await sql.query<DatabaseSetting>(
      `select name, setting as value, unit, source, pending_restart as "needsRestart"
       from pg_settings where name = any($1) order by name`,
      [settingNames],
    )
  ).rows;

export interface ServerState {
  bytes: number;
  extensions: { name: string; version: string }[];
  /** Sessions of this database by what they do, without statements. */
  sessions: {
    state: string | null;
    waitsFor: string | null;
    count: number;
    longestTransactionSeconds: number | null;
  }[];
  waitingLocks: number;
}

export const readServerState = async (sql: Sql): Promise<ServerState> => {
  const [bytes, extensions, sessions, locks] = await Promise.all([
    sql.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes'),
    sql.query<ServerState['extensions'][number]>(
      'select extname as name, extversion as version from pg_extension order by extname',
    ),
    sql.query<ServerState['sessions'][number]>(
      `select state, wait_event_type as "waitsFor", count(*),
         max(extract(epoch from clock_timestamp() - xact_start))::float8 as "longestTransactionSeconds"
       from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
       group by 1, 2 order by 3 desc, 1, 2`,
    ),
    sql.query<{ count: number }>('select count(*) from pg_locks where not granted'),
  ]);
  return {
    bytes: bytes.rows[0]?.bytes ?? 0,
    extensions: extensions.rows,
    sessions: sessions.rows,
    waitingLocks: locks.rows[0]?.count ?? 0,
  };
};
