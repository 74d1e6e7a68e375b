import { createHash } from 'node:crypto';
import type { Sql } from '../../../platform/db/index.ts';

/**
 * Locks a request until the transaction ends, without waiting: the same request of a person is accepted once at
 * a time.
 * @param request what identifies it; a selection is hashed, as it may name a hundred thousand SIMs
 * @returns false when it is already in progress
 */
export const lockRequest = async (tx: Sql, request: readonly unknown[]): Promise<boolean> => {
  const digest = createHash('sha256').update(JSON.stringify(request)).digest();
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
    digest.readBigInt64BE(),
  ]);
  return rows[0]?.locked === true;
};
