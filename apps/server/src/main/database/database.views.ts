import type { Sql } from '../../platform/db/index.ts';

export interface DatabaseNode {
  /** Host and port, as the coordinator knows them. */
  address: string;
  isCoordinator: boolean;
  isActive: boolean;
  shards: number;
  bytes: number;
}

export interface DatabaseTable {
  table: string;
  /** Including partitions and indexes, on all nodes. */
  bytes: number;
  /** As the planner estimates them; undefined until the table is analysed. */
  rows: number | undefined;
  isDistributed: boolean;
  /** Number of shards; 0 if it is not distributed. */
  shards: number;
}

export interface DatabaseState {
  postgresql: string;
  /** Undefined on a PostgreSQL without the extension. */
  citus: string | undefined;
  nodes: DatabaseNode[];
  /** The largest first. */
  tables: DatabaseTable[];
}

/** The database's servers and tables. */
export const readDatabaseState = async (sql: Sql): Promise<DatabaseState> => {
  const { rows } = await sql.query<{ postgresql: string; citus: string | null }>(
    `select current_setting('server_version') as postgresql,
       (select extversion from pg_extension where extname = 'citus') as citus`,
  );
  const citus = rows[0]?.citus ?? undefined;
  const tables = await listTables(sql);
  const state = { postgresql: rows[0]?.postgresql ?? '', citus, tables, nodes: [] };
  if (citus === undefined) return state;
  const distributed = await listDistributed(sql);
  return {
    ...state,
    nodes: await listNodes(sql),
    tables: tables
      .map((table) => ({
        ...table,
        isDistributed: distributed.has(table.table),
        bytes: table.bytes + (distributed.get(table.table)?.bytes ?? 0),
        rows: distributed.get(table.table)?.rows ?? table.rows,
        shards: distributed.get(table.table)?.shards ?? 0,
      }))
      .sort((a, b) => b.bytes - a.bytes),
  };
};

/** Tables on the connected server; a partitioned table includes its partitions. */
const listTables = async (sql: Sql): Promise<DatabaseTable[]> => {
  const { rows } = await sql.query<{ table: string; bytes: number; rows: number | null }>(
    `select c.relname as table, sum(pg_total_relation_size(p.oid))::float8 as bytes,
       sum(p.reltuples) filter (where p.reltuples >= 0 and p.relkind = 'r')::float8 as rows
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
     cross join lateral (
       select t.relid from pg_partition_tree(c.oid) t union select c.oid) as part
     join pg_class p on p.oid = part.relid
     where c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     group by c.relname order by bytes desc, c.relname`,
  );
  return rows.map(({ table, bytes, rows: estimated }) => ({
    table,
    bytes,
    isDistributed: false,
    shards: 0,
    rows: estimated ?? undefined,
  }));
};

interface ShardTotals {
  bytes: number;
  shards: number;
  rows: number | undefined;
}

/** Estimates of each node's planner for its shards, whose numbers end their names. */
const estimatedRowsQuery = `
  select coalesce(json_agg(json_build_array(substring(relname from '_([0-9]+)$'), reltuples)), '[]') from pg_class
  where relkind = 'r' and relname ~ '_[0-9]{6,18}$' and reltuples >= 0`;

/** The shards of each distributed table, including its partitions'. */
const listDistributed = async (sql: Sql): Promise<Map<string, ShardTotals>> => {
  const { rows } = await sql.query<{ table: string; bytes: number; shards: number; rows: number | null }>(
    `with shards as (
       select distinct table_name, shardid, shard_size from citus_shards where citus_table_type = 'distributed'),
     known as (
       select (one.value ->> 0)::bigint as shardid, (one.value ->> 1)::float8 as rows
       from run_command_on_all_nodes($1) node cross join json_array_elements(node.result::json) one
       where node.success)
     select c.relname as table, sum(s.shard_size)::float8 as bytes, sum(known.rows) as rows,
       (select count(*)::int from pg_dist_shard where logicalrelid = c.oid) as shards
     from shards s left join known using (shardid)
     cross join lateral (select coalesce(pg_partition_root(s.table_name), s.table_name) as root) r
     join pg_class c on c.oid = r.root group by c.relname, c.oid`,
    [estimatedRowsQuery],
  );
  return new Map(
    rows.map(({ table, bytes, shards, rows: estimated }) => [
      table,
      { bytes, shards, rows: estimated ?? undefined },
    ]),
  );
};

const listNodes = async (sql: Sql): Promise<DatabaseNode[]> => {
  const { rows } = await sql.query<DatabaseNode>(
    `select n.nodename || ':' || n.nodeport as address, n.groupid = 0 as "isCoordinator", n.isactive as "isActive",
       count(s.shardid)::int as shards, coalesce(sum(s.shard_size), 0)::float8 as bytes
     from pg_dist_node n
     left join citus_shards s on s.nodename = n.nodename and s.nodeport = n.nodeport
       and s.citus_table_type = 'distributed'
     where n.noderole = 'primary' group by n.groupid, n.nodename, n.nodeport, n.isactive order by n.groupid`,
  );
  return rows;
};
