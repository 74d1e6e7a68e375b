import type pg from 'pg';
import { inTransaction, type Sql } from '../platform/db/index.ts';

/**
 * Does work in a transaction while a SIM's records since an instant are in progress, as on a cluster: they are counted, but not
 * yet on their node. They are written when the work waits for that; if it never does, after it.
 */
export const duringBatch = async <T>(
  pool: pg.Pool,
  { simId, since }: { simId: number; since: Date },
  work: (tx: Sql) => Promise<T>,
): Promise<T> => {
  const isHeld = 'sim_id = $1 and ended_at >= $2';
  await pool.query('create table held_records (like cdrs)');
  await pool.query(`insert into held_records select * from cdrs where ${isHeld}`, [simId, since]);
  const { rowCount } = await pool.query(`delete from cdrs where ${isHeld}`, [simId, since]);
  if (rowCount === 0) throw new Error('The SIM has no such records');
  await pool.query(`insert into unwritten_histories (sim_ids, content) values ($1, '')`, [[simId]]);
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    await pool.query('insert into cdrs select * from held_records');
    await pool.query('delete from unwritten_histories');
    await pool.query('drop table held_records');
  };
  const result = await inTransaction(pool, (tx) => {
    const query = ((...values: Parameters<typeof tx.query>) => {
      if (String(values[0]).includes('unwritten_histories')) writing ??= write();
      return tx.query(...values);
    }) as typeof tx.query;
    return work({ query });
  });
  await (writing ?? write());
  return result;
};
