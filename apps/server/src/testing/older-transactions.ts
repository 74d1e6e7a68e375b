import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * Waits until current facts can be delivered: the outbox holds them back while any older transaction of the
 * server runs, including those of other test files on the same server.
 */
export const waitForOlderTransactions = async (pool: pg.Pool): Promise<void> => {
  const { rows } = await pool.query<{ now: string }>('select pg_current_xact_id()::text as now');
  const isOver = async (): Promise<boolean> =>
    (
      await pool.query('select 1 where pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8', [
        rows[0]?.now,
      ])
    ).rowCount === 1;
  while (!(await isOver())) await sleep(10);
};
