import type { BillStatus, BillType } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { billingWork, billNumber } from '../bill.rules.ts';
import { customersSql } from '../customers.views.ts';

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

/**
 * Whether bills of an organisation's month (`YYYY-MM`) are still to be published: drafts that are held, or a month that
 * is due or awaits a tariff. Never of an organisation that is no settlement customer, nor of months before a customer's
 * first bill.
 */
export const awaitsBills = async (
  sql: Sql,
  { orgId, month, now }: { orgId: number; month: string; now: Date },
): Promise<boolean> => {
  const isDue = month >= billingWork(now).month;
  const { rowCount } = await sql.query(
    `select from bills where org_id = $1 and month_on = $2 and status = 'draft'
     union all
     select from (${customersSql} and o.id = $1) as c left join bill_months m on m.org_id = c.id and m.month_on = $2
     where m.published_at is null and ($3 or m.drafted_at is not null or exists (
       select from bill_months e where e.org_id = c.id and e.month_on < $2 and e.published_at is not null))`,
    [orgId, `${month}-01`, isDue],
  );
  return (rowCount ?? 0) > 0;
};
