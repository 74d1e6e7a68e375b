import type { BillType } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { depositPayments, openMinor } from '../deposits.rules.ts';

const monthsBefore = 6;

interface BillKind {
  customerId: number;
  month: string;
  type: BillType;
  currency: string;
}

/** Totals of the customer's bills of a type in the months before, as they stand. */
export const listTotalsBefore = async (
  sql: Sql,
  { customerId, month, type, currency }: BillKind,
): Promise<bigint[]> => {
  const { rows } = await sql.query<{ total: string }>(
    `select total_minor::text as total from bills
     where org_id = $1 and month_on < $2 and type = $3 and currency = $4 and status in ('published', 'paid')
     order by month_on desc limit ${monthsBefore}`,
    [customerId, `${month}-01`, type, currency],
  );
  return rows.map(({ total }) => BigInt(total));
};

/** What is to be paid of a customer's published bills in a currency. */
export const sumOpen = async (
  sql: Sql,
  { customerId, currency }: { customerId: number; currency: string },
): Promise<bigint> => {
  const { rows } = await sql.query<{ open: string }>(
    `select coalesce(sum(${openMinor}), 0)::text as open from bills b
     left join lateral (
       select sum(amount_minor) as paid from bill_payments where serial = b.serial) as p on true
     where b.org_id = $1 and b.currency = $2 and b.status = 'published'`,
    [customerId, currency],
  );
  return BigInt(rows[0]?.open ?? 0);
};

export interface Deposit {
  currency: string;
  opening: number;
  top_up: number;
}

/** The balance of a customer's deposits as a month begins, and what is paid in during it, by currency. */
export const listDeposits = async (
  sql: Sql,
  { customerId, month, until }: { customerId: number; month: string; until: string },
): Promise<Deposit[]> =>
  (
    await sql.query<Deposit>(
      `select p.currency,
         (coalesce(sum(p.amount_minor) filter (where p.paid_on < $2), 0) - coalesce((
           select sum(b.total_minor) from bills b where b.org_id = $1 and b.currency = p.currency and b.type = 'predeposit'
             and b.month_on < $2 and b.status in ('published', 'paid')), 0))::int8 as opening,
         coalesce(sum(p.amount_minor) filter (where p.paid_on >= $2), 0)::int8 as top_up
       from ${depositPayments} where p.org_id = $1 and p.paid_on < $3 group by p.currency`,
      [customerId, `${month}-01`, until],
    )
  ).rows;
