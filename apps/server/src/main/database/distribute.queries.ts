import type pg from 'pg';
import { inTransaction, type Sql } from '../../platform/db/index.ts';

/** How a table that is spread is spread. */
export interface Spread {
  column: string;
  colocation: number;
}

export const hasCitus = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ citus: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as citus`,
  );
  return rows[0]?.citus === true;
};

/** Tables that are spread over nodes, without partitions. */
export const listSpread = async (sql: Sql): Promise<Map<string, Spread>> => {
  const { rows } = await sql.query<{ name: string; column: string; colocation: number }>(
    `select c.relname as name, t.distribution_column as column, t.colocation_id as colocation
     from citus_tables t join pg_class c on c.oid = t.table_name
     where t.citus_table_type = 'distributed' and not c.relispartition order by c.relname`,
  );
  return new Map(rows.map(({ name, column, colocation }) => [name, { column, colocation }]));
};

/** Workers that take shards. */
export const countWorkers = async (sql: Sql): Promise<number> => {
  const { rows } = await sql.query<{ workers: number }>(
    `select count(*)::int as workers from pg_dist_node
     where noderole = 'primary' and isactive and shouldhaveshards`,
  );
  return rows[0]?.workers ?? 0;
};

/**
 * Functions of the product's own, with their types of arguments: what a statement calls has to be on the workers, too. Those
 * of extensions go with these.
 */
export const listFunctions = async (sql: Sql): Promise<string[]> => {
  const { rows } = await sql.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
     where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
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

export interface Step {
  table: string;
  shards: number;
  /** A table that is spread already, in whose nodes the rows of a SIM are to be. */
  beside: string | undefined;
  /** How long the lock may be waited for: everything that writes waits behind it. */
  lockSeconds: number;
}

/** SQLSTATE of a lock that wasn't got in time. */
const lockNotAvailable = '55P03';

/**
 * Spreads one table with its rows, in a transaction of its own.
 * @returns false when other transactions held the table for too long: nothing was done
 */
export const distributeTable = async (pool: pg.Pool, step: Step): Promise<boolean> => {
  try {
    await inTransaction(pool, async (tx) => {
      await tx.query(`set local lock_timeout = '${step.lockSeconds}s'`);
      await tx.query('set local statement_timeout = 0');
      // Once it is locked, nothing else has to be waited for; named here, as the extension's own order may differ.
      await tx.query(`lock table ${step.table} in exclusive mode`);
      if (step.beside === undefined) {
        await tx.query(
          `select create_distributed_table($1, 'sim_id', colocate_with => 'none', shard_count => $2)`,
          [step.table, step.shards],
        );
      } else {
        await tx.query(`select create_distributed_table($1, 'sim_id', colocate_with => $2)`, [
          step.table,
          step.beside,
        ]);
      }
    });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return false;
    throw error;
  }
};

/** Bytes that a spread table still has on the coordinator: rows that were copied to shards, which nothing reads. */
export const leftOver = async (sql: Sql, table: string): Promise<number> => {
  const { rows } = await sql.query<{ bytes: number }>(
    `select coalesce(sum(pg_relation_size(relid)), 0)::float8 as bytes from (
       select relid from pg_partition_tree($1::regclass) where isleaf
       union select $1::regclass) as parts`,
    [table],
  );
  return rows[0]?.bytes ?? 0;
};

/** Gives their space back. */
export const dropLeftOver = async (sql: Sql, table: string): Promise<void> => {
  await sql.query('select truncate_local_data_after_distributing_table($1::regclass)', [table]);
};
