import { limits } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';

export interface ChargeRow {
  line: number;
  sim_id: number;
  iccid: string;
  cycle_started_at: Date;
  quantity: number;
}

/** The number of charges of a bill, counted up to what a file may contain. */
export const countCharges = async (sql: Sql, billId: number): Promise<number> =>
  (
    await sql.query<{ rows: number }>(
      `select count(*)::int as rows from (
         select from bill_charges where bill_id = $1 limit ${limits.bills.fileRows + 1}) as c`,
      [billId],
    )
  ).rows[0]?.rows ?? 0;

/** Charges of a bill in the order of lines and SIMs, after a given one. */
export const listCharges = async (
  sql: Sql,
  {
    billId,
    after,
    limit,
  }: { billId: number; after: Pick<ChargeRow, 'line' | 'sim_id' | 'cycle_started_at'>; limit: number },
): Promise<ChargeRow[]> =>
  (
    await sql.query<ChargeRow>(
      `select c.line, c.sim_id, s.iccid, c.cycle_started_at, c.quantity
       from (
         select line, sim_id, cycle_started_at, quantity from bill_charges
         where bill_id = $1 and (line, sim_id, cycle_started_at) > ($2::integer, $3::bigint, $4::timestamptz)
         order by line, sim_id, cycle_started_at limit $5) as c
       join sims s on s.id = c.sim_id order by c.line, c.sim_id, c.cycle_started_at`,
      [billId, after.line, after.sim_id, after.cycle_started_at, limit],
    )
  ).rows;
