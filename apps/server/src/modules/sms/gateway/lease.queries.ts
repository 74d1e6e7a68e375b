import type { Sql } from '../../../platform/db/index.ts';

/** Key of the advisory lock for the installation's only gateway. */
const lockKey = 0x534d53;

/** @returns whether this database connection now has the lock, until it releases the lock or ends */
export const tryLease = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [
    lockKey,
  ]);
  return rows[0]?.acquired === true;
};

export const endLease = async (sql: Sql): Promise<void> => {
  await sql.query('select pg_advisory_unlock($1)', [lockKey]);
};

/** Whether any process has the lock. */
export const isLeaseHeld = async (sql: Sql): Promise<boolean> => {
  // PostgreSQL documentation, 53.14 pg_locks: the two halves of the key, and 1 for a 64-bit key.
  const { rows } = await sql.query<{ held: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 1 and classid = 0
       and objid = $1 and database = (select oid from pg_database where datname = current_database())) as held`,
    [lockKey],
  );
  return rows[0]?.held === true;
};
