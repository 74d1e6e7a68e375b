import type { Sql } from '../../../platform/db/index.ts';

/** Held until the transaction ends: a person's orders are accepted one at a time. @returns false when one is on its way */
export const lockOrdering = async (tx: Sql, userId: string): Promise<boolean> => {
  const { rows } = await tx.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as locked',
    [`sim.order:${userId}`],
  );
  return rows[0]?.locked === true;
};
