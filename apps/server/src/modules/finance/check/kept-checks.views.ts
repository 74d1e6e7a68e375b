import type { BillCheck } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';

/** The last check of a bill. */
export const findCheck = async (sql: Sql, billId: number): Promise<BillCheck | null> => {
  const { rows } = await sql.query<Omit<BillCheck, 'checked_at'> & { checked_at: Date }>(
    'select checked_at, lines, late, mismatches from bill_checks where bill_id = $1',
    [billId],
  );
  return rows[0] ? { ...rows[0], checked_at: rows[0].checked_at.toISOString() } : null;
};
