import type { BillStatus, BillType } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { billNumber } from '../bill.rules.ts';

export interface MonthBill {
  number: string;
  version: number;
  type: BillType;
  currency: string;
  status: BillStatus;
  totalMinor: number;
  /** `YYYY-MM-DD`; null for a draft. */
  dueOn: string | null;
}

/** The bills of a customer's month (`YYYY-MM`), without replaced versions. */
export const listMonthBills = async (
  sql: Sql,
  { customerId, month }: { customerId: number; month: string },
): Promise<MonthBill[]> => {
  const { rows } = await sql.query<Omit<MonthBill, 'number'> & { serial: number }>(
    `select serial, version, type, currency, status, total_minor as "totalMinor", due_on::text as "dueOn"
     from bills where org_id = $1 and month_on = $2 and status <> 'obsolete' order by id`,
    [customerId, `${month}-01`],
  );
  return rows.map(({ serial, ...bill }) => ({ ...bill, number: billNumber({ month, serial }) }));
};
