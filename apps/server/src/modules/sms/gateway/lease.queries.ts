import type { Sql } from '../../../platform/db/index.ts';

/** Of the one lock for the one gateway of an installation. */
const lockKey = 0x534d53;

/** @returns whether this connection to the database has the lock now, until it lets go of it or ends */
export const tryLease = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [lockKey]);
  return rows[0]?.got === true;
};

export const endLease = async (sql: Sql): Promise<void> => {
  await sql.query('select pg_advisory_unlock($1)', [lockKey]);
};

/** Whether some process has the lock. */
export const isLeaseHeld = async (sql: Sql): Promise<boolean> => {
  // PostgreSQL's documentation, 53.14 pg_locks: the key's halves, and 1 for a key of 64 bits.
  const { rows } = await sql.query<{ held: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 1 and classid = 0
       and objid = $1 and database = (select oid from pg_database where datname = current_database())) as held`,
    [lockKey],
  );
  return rows[0]?.held === true;
};
