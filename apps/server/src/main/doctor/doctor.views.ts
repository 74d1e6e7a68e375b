import { listenerName, partitionedTables, type Sql } from '../../platform/db/index.ts';

export interface DatabaseFacts {
  /** As in `server_version_num`: 150018 is 15.18. */
  version: number;
  shown: string;
  connections: number;
  /** Those that are not reserved for superusers. */
  maxConnections: number;
  /** Settings of durability; the last one is that of every connection but those of accounting, which turn it on. */
  fsync: boolean;
  fullPageWrites: boolean;
  synchronousCommit: boolean;
}

export const readDatabaseFacts = async (sql: Sql): Promise<DatabaseFacts> => {
  const { rows } = await sql.query<DatabaseFacts>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as shown,
       (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
         - coalesce(current_setting('reserved_connections', true), '0')::integer as "maxConnections",
       current_setting('fsync')::boolean as fsync, current_setting('full_page_writes')::boolean as "fullPageWrites",
       current_setting('synchronous_commit') <> 'off' as "synchronousCommit"`,
  );
  const [facts] = rows;
  if (!facts) throw new Error('The database did not report its version');
  return facts;
};

/** Each server listens on a connection that names its roles; earlier versions did not. */
export const listRunningServers = async (sql: Sql): Promise<{ roles: string[] }[]> => {
  const { rows } = await sql.query<{ roles: string[] }>(
    `select array_remove(string_to_array(trim(substr(application_name, length($1) + 1)), ','), '') as roles
     from pg_stat_activity where datname = current_database() and starts_with(application_name, $1)`,
    [listenerName],
  );
  return rows;
};

/** Whether the first start of a server has created the tables. */
export const hasTables = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ has: boolean }>(`select to_regclass('cdrs') is not null as has`);
  return rows[0]?.has === true;
};

/** Heavy tables without a partition for the month of an instant, as `table month`. */
export const listMissingPartitions = async (sql: Sql, at: readonly Date[]): Promise<string[]> => {
  const { rows } = await sql.query<{ missing: string }>(
    `select t.name || ' ' || to_char(i.at at time zone 'UTC', 'YYYY-MM') as missing
     from unnest($1::text[]) as t (name) cross join unnest($2::timestamptz[]) as i (at)
     where to_regclass(t.name || '_' || to_char(i.at at time zone 'UTC', 'YYYY_MM')) is null
     order by i.at, t.name`,
    [partitionedTables, at],
  );
  return rows.map(({ missing }) => missing);
};

/** The database's clock, in milliseconds since 1970. */
export const readClock = async (sql: Sql): Promise<number> => {
  const { rows } = await sql.query<{ ms: number }>(
    `select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  );
  return rows[0]?.ms ?? Number.NaN;
};
