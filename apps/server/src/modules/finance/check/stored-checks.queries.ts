import type { BillCheck } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { staleMinutes } from '../bill.rules.ts';

export const writeCheck = async (tx: Sql, billId: number, check: BillCheck): Promise<void> => {
  await tx.query(
    `insert into bill_checks (bill_id, checked_at, lines, late, mismatches) values ($1, $2, $3, $4, $5)
     on conflict (bill_id) do update set checked_at = excluded.checked_at, lines = excluded.lines,
       late = excluded.late, mismatches = excluded.mismatches`,
    [billId, check.checked_at, check.lines, check.late, JSON.stringify(check.mismatches)],
  );
};

interface RunKey {
  billId: number;
  now: Date;
}

/** Records that a bill is being computed again; false if that is already in progress. */
export const startRun = async (tx: Sql, { billId, now, sims }: RunKey & { sims: number }): Promise<boolean> =>
  (
    await tx.query(
      `insert into bill_check_runs (bill_id, started_at, heard_at, sims) values ($1, $2, $2, $3)
       on conflict (bill_id) do update set started_at = excluded.started_at, heard_at = excluded.heard_at,
         sims = excluded.sims, sims_done = 0
       where bill_check_runs.heard_at <= $2::timestamptz - interval '${staleMinutes} minutes' returning bill_id`,
      [billId, now, sims],
    )
  ).rows.length > 0;

export const recordRunProgress = async (
  sql: Sql,
  { billId, now, done }: RunKey & { done: number },
): Promise<void> => {
  await sql.query('update bill_check_runs set sims_done = $2, heard_at = $3 where bill_id = $1', [
    billId,
    done,
    now,
  ]);
};

export const endRun = async (sql: Sql, billId: number): Promise<void> => {
  await sql.query('delete from bill_check_runs where bill_id = $1', [billId]);
};
