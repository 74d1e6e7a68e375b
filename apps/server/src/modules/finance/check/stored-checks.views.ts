import type { BillCheck, BillCheckRun, BillMismatch } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { staleMinutes } from '../bill.rules.ts';

/** Those of former versions lack the figure and the item. */
type StoredMismatch = Omit<BillMismatch, 'figure' | 'item'> & Partial<BillMismatch>;

/** The last check of a bill. */
export const findCheck = async (sql: Sql, billId: number): Promise<BillCheck | null> => {
  const { rows } = await sql.query<
    Omit<BillCheck, 'checked_at' | 'mismatches'> & { checked_at: Date; mismatches: StoredMismatch[] }
  >('select checked_at, lines, late, mismatches from bill_checks where bill_id = $1', [billId]);
  const [check] = rows;
  if (!check) return null;
  return {
    ...check,
    checked_at: check.checked_at.toISOString(),
    mismatches: check.mismatches.map((one) => ({ figure: 'quantity', item: null, ...one })),
  };
};

/** The progress of a check of a bill. */
export const findRun = async (
  sql: Sql,
  { billId, now }: { billId: number; now: Date },
): Promise<BillCheckRun | null> => {
  const { rows } = await sql.query<Omit<BillCheckRun, 'started_at'> & { started_at: Date }>(
    `select started_at, sims, sims_done from bill_check_runs
     where bill_id = $1 and heard_at > $2::timestamptz - interval '${staleMinutes} minutes'`,
    [billId, now],
  );
  return rows[0] ? { ...rows[0], started_at: rows[0].started_at.toISOString() } : null;
};

/** Number of SIMs that a bill has charges for. */
export const countSims = async (sql: Sql, billId: number): Promise<number> =>
  (
    await sql.query<{ sims: number }>('select count(*)::int as sims from bill_sims where bill_id = $1', [
      billId,
    ])
  ).rows[0]?.sims ?? 0;
