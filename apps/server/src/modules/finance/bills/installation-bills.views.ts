import type { BillState, BillType } from '@simcube/contract/finance';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { billNumber } from '../bill.rules.ts';

export interface InstallationBill {
  number: string;
  version: number;
  organisation: string;
  type: BillType;
  state: BillState;
  currency: string;
  total_minor: number;
  /** Payments for the bill itself, without what a deposit covers. */
  paid_minor: number;
  due_on: string | null;
  paid_on: string | null;
}

export interface InstallationBillFilter {
  serial?: number | undefined;
  organisation?: string | undefined;
  month?: string | undefined;
  states?: readonly BillState[] | undefined;
}

/** Drafts and current bills of all settlement customers, the latest first. */
export const listInstallationBills = async (
  sql: Sql,
  { serial, organisation, month, states }: InstallationBillFilter,
  { now, limit }: { now: Date; limit: number },
): Promise<InstallationBill[]> => {
  const { rows } = await sql.query<
    Omit<InstallationBill, 'number'> & { id: number; serial: number; month: string }
  >(
    `select * from (
       select b.id, b.serial, to_char(b.month_on, 'YYYY-MM') as month, b.version, o.code as organisation, b.type,
         case when b.status <> 'published' then b.status when b.due_on < $1::date then 'expired' else 'issued' end as state,
         b.currency, b.total_minor,
         (select coalesce(sum(amount_minor), 0)::int8 from bill_payments where serial = b.serial) as paid_minor,
         b.due_on::text, b.paid_on::text
       from bills b join organisations o on o.id = b.org_id
       where b.status <> 'obsolete' and ($2::bigint is null or b.serial = $2)
         and ($3::text is null or lower(o.code) = lower($3)) and ($4::date is null or b.month_on = $4)) as bill
     where $5::text[] is null or state = any($5) order by month desc, id desc limit $6`,
    [
      dashboardDays.dayOf(now),
      serial ?? null,
      organisation ?? null,
      month === undefined ? null : `${month}-01`,
      states ?? null,
      limit,
    ],
  );
  return rows.map(({ id: _, serial, month, ...bill }) => ({
    number: billNumber({ month, serial }),
    ...bill,
  }));
};
