import type pg from 'pg';
import { inTransaction, type Sql, sqlStateOf } from '../../platform/db/index.ts';

/** How a table is distributed. */
export interface TableDistribution {
  column: string;
  colocation: number;
  shards: number;
}

export const hasCitus = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ citus: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as citus`,
  );
  return rows[0]?.citus === true;
};

/** Distributed tables, without partitions. */
export const listDistributedTables = async (sql: Sql): Promise<Map<string, TableDistribution>> => {
  const { rows } = await sql.query<{ name: string } & TableDistribution>(
    `select c.relname as name, t.distribution_column as column, t.colocation_id as colocation,
       t.shard_count::int as shards
     from citus_tables t join pg_class c on c.oid = t.table_name
     where t.citus_table_type = 'distributed' and not c.relispartition order by c.relname`,
  );
  return new Map(rows.map(({ name, ...found }) => [name, found]));
};

/** Workers that may hold shards. */
export const countWorkers = async (sql: Sql): Promise<number> => {
  const { rows } = await sql.query<{ workers: number }>(
    `select count(*)::int as workers from pg_dist_node
     where noderole = 'primary' and isactive and shouldhaveshards`,
  );
  return rows[0]?.workers ?? 0;
};

/**
 * The product's own functions with their argument types: a function that a statement calls must exist on the
 * workers, too. Those of extensions are created with the extension, and those of triggers are called only where
 * their table is.
 */
export const listFunctions = async (sql: Sql): Promise<string[]> => {
  const { rows } = await sql.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       and not exists (
         select from pg_catalog.pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
     order by 1`,
  );
  return rows.map(({ signature }) => signature);
};

export const distributeFunction = async (sql: Sql, signature: string): Promise<void> => {
  await sql.query('select create_distributed_function($1::regprocedure)', [signature]);
};

export interface DistributionStep {
  table: string;
  shards: number;
  /** A distributed table with which it is colocated, so that the rows of a SIM are on the same node. */
  colocateWith: string | undefined;
  /** How long to wait for the lock; all writers queue behind it. */
  lockSeconds: number;
  record: RecordChange;
}

/** SQLSTATEs of a lock that was not acquired in time, and of a deadlock. */
const lockNotAcquired = new Set(['55P03', '40P01']);

/** Records the change in its transaction, after all other statements. */
export type RecordChange = (tx: Sql) => Promise<void>;

/**
 * Does `work` in a separate transaction.
 * @returns false when a lock was not acquired: nothing was done
 */
const withLock = async (
  pool: pg.Pool,
  lockSeconds: number,
  work: (tx: pg.PoolClient) => Promise<unknown>,
  record?: RecordChange,
): Promise<boolean> => {
  try {
    await inTransaction(pool, async (tx) => {
      await tx.query(`set local lock_timeout = '${lockSeconds}s'`);
      await tx.query('set local statement_timeout = 0');
      await work(tx);
      if (!record) return;
      // A copy that took an hour is not done again because somebody is writing to the audit trail.
      await tx.query('set local lock_timeout to default');
      await record(tx);
    });
    return true;
  } catch (error) {
    if (lockNotAcquired.has(sqlStateOf(error) ?? '')) return false;
    throw error;
  }
};

/**
 * Distributes one table with its rows, in a separate transaction.
 * @returns false when other transactions held the table for too long: nothing was done
 */
export const distributeTable = (
  pool: pg.Pool,
  { table, shards, colocateWith, lockSeconds, record }: DistributionStep,
): Promise<boolean> => {
  const work = async (tx: Sql) => {
    // With this lock nothing else has to be waited for; taken explicitly, because the extension may lock in
    // another order.
    await tx.query(`lock table ${table} in exclusive mode`);
    if (colocateWith === undefined) {
      await tx.query(
        `select create_distributed_table($1, 'sim_id', colocate_with => 'none', shard_count => $2)`,
        [table, shards],
      );
    } else {
      await tx.query(`select create_distributed_table($1, 'sim_id', colocate_with => $2)`, [
        table,
        colocateWith,
      ]);
    }
  };
  return withLock(pool, lockSeconds, work, record);
};

/**
 * Moves a table's rows back to the coordinator.
 * @returns false when others held it for too long: nothing was done
 */
export const undistributeTable = (
  pool: pg.Pool,
  { table, lockSeconds, record }: Pick<DistributionStep, 'table' | 'lockSeconds' | 'record'>,
): Promise<boolean> => {
  const work = async (tx: Sql) => {
    await tx.query(`lock table ${table} in access exclusive mode`);
    await tx.query('select undistribute_table($1::regclass)', [table]);
  };
  return withLock(pool, lockSeconds, work, record);
};

/**
 * Bytes that a distributed table still has on the coordinator: rows that were copied to shards and are no
 * longer read.
 */
export const readLeftoverBytes = async (sql: Sql, table: string): Promise<number> => {
  const { rows } = await sql.query<{ bytes: number }>(
    `select coalesce(sum(pg_relation_size(relid)), 0)::float8 as bytes from (
       select relid from pg_partition_tree($1::regclass) where isleaf
       union select $1::regclass) as parts`,
    [table],
  );
  return rows[0]?.bytes ?? 0;
};

/**
 * Frees their space.
 * @returns false when others read the table for too long: nothing was done
 */
export const dropLeftoverRows = (
  pool: pg.Pool,
  { table, lockSeconds }: Pick<DistributionStep, 'table' | 'lockSeconds'>,
): Promise<boolean> =>
  withLock(pool, lockSeconds, (tx) =>
    tx.query('select truncate_local_data_after_distributing_table($1::regclass)', [table]),
  );

/** A session whose transaction holds a lock on a table. */
export interface LockHolder {
  pid: number;
  /** Its application_name. */
  name: string;
  /** Age of its transaction. */
  seconds: number;
}

/** The session that has held a lock on the table, or on one of its partitions, the longest. */
export const findLockHolder = async (sql: Sql, table: string): Promise<LockHolder | undefined> => {
  const { rows } = await sql.query<LockHolder>(
    `select a.pid, coalesce(nullif(a.application_name, ''), a.backend_type) as name,
       extract(epoch from clock_timestamp() - a.xact_start)::float8 as seconds
     from pg_stat_activity a
     where a.xact_start is not null and a.pid <> pg_backend_pid() and exists (
       select from pg_locks l
       where l.pid = a.pid and l.granted and l.locktype = 'relation'
         and l.database = (select oid from pg_database where datname = current_database())
         and l.relation in (select relid from pg_partition_tree($1::regclass) union select $1::regclass))
     order by a.xact_start limit 1`,
    [table],
  );
  return rows[0];
};
