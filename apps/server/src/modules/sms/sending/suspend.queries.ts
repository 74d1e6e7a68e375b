import type { Sql } from '../../../platform/db/index.ts';

/** The caller has locked the SIMs. */
export const markSuspended = async (
  tx: Sql,
  { simIds, isSuspended }: { simIds: readonly number[]; isSuspended: boolean },
): Promise<void> => {
  await tx.query('update sims set sms_suspended = $2 where id = any($1::bigint[])', [simIds, isSuspended]);
};
