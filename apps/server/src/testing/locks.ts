import { expect } from 'vitest';
import type { Sql } from '../platform/db/index.ts';

/**
 * Waits until this many statements wait for locks of other transactions, so that the order of what follows is
 * known.
 */
export const waitForBlockedStatements = async (sql: Sql, waiting = 1): Promise<void> => {
  await expect
    .poll(
      async () => {
        const { rowCount } = await sql.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount;
      },
      { timeout: 20_000, interval: 5 },
    )
    .toBeGreaterThanOrEqual(waiting);
};
