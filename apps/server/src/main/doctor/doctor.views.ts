import { partitionedTables, type Sql } from '../../platform/db/index.ts';

export interface DatabaseFacts {
  /** As `server_version_num` has it: 150018 is 15.18. */
  version: number;
  shown: string;
  connections: number;
  maxConnections: number;
}

export const readDatabaseFacts = async (sql: Sql): Promise<DatabaseFacts> => {
  const { rows } = await sql.query<DatabaseFacts>(
    `select current_setting('server_version_num')::integer as version, current_setting('server_version') as shown,
       (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections')::integer as "maxConnections"`,
  );
  const [facts] = rows;
  if (!facts) throw new Error('The database said nothing of itself');
  return facts;
};

/** Heavy tables without a partition for the month of each instant, as `table month`. */
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

/** The clock of the database, milliseconds since 1970. */
export const readClock = async (sql: Sql): Promise<number> => {
  const { rows } = await sql.query<{ ms: number }>(
    `select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  );
  return rows[0]?.ms ?? Number.NaN;
};
