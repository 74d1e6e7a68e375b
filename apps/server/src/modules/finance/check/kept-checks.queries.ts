import type { BillCheck } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';

/** What others with this number are: checks of bills. */
const checkLock = 7_341_906;

/** Whether this transaction is the one that computes the bill again; until it ends, others may not. */
export const claimCheck = async (tx: Sql, billId: number): Promise<boolean> =>
  (
    await tx.query<{ claimed: boolean }>(
      'select pg_try_advisory_xact_lock($1, ($2 % 2147483647)::int) as claimed',
      [checkLock, billId],
    )
  ).rows[0]?.claimed ?? false;

export const writeCheck = async (tx: Sql, billId: number, check: BillCheck): Promise<void> => {
  await tx.query(
    `insert into bill_checks (bill_id, checked_at, lines, late, mismatches) values ($1, $2, $3, $4, $5)
     on conflict (bill_id) do update set checked_at = excluded.checked_at, lines = excluded.lines,
       late = excluded.late, mismatches = excluded.mismatches`,
    [billId, check.checked_at, check.lines, check.late, JSON.stringify(check.mismatches)],
  );
};
