import { createHash } from 'node:crypto';
import type { Sql } from '../../../platform/db/index.ts';

/**
 * Held until the transaction ends, and never waited for: the same request of the same person is accepted once at a time.
 * @param request what makes it the same; of a selection its digest, as it may name a hundred thousand SIMs
 * @returns false when it is on its way already
 */
export const lockRequest = async (tx: Sql, request: readonly unknown[]): Promise<boolean> => {
  const digest = createHash('sha256').update(JSON.stringify(request)).digest();
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
    digest.readBigInt64BE(),
  ]);
  return rows[0]?.locked === true;
};
