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

/** Current totals of the customer's bills of a type in earlier months. */
export const listPreviousTotals = async (
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

/** The amount still to be paid for a customer's published bills in a currency. */
export const sumOpenAmounts = async (
  sql: Sql,
  { customerId, currency }: { customerId: number; currency: string },
): Promise<bigint> => {
  const { rows } = await sql.query<{ open: string }>(
    `select coalesce(sum(${openMinor}), 0)::text as open from bills b
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

/**
 * By currency, the balance of a customer's deposits at the start of a month, which is the closing balance of
 * the previous bill, and payments since: one recorded too late for the bill of its month is on the next one.
 */
export const listDeposits = async (
  sql: Sql,
  { customerId, month, until }: { customerId: number; month: string; until: string },
): Promise<Deposit[]> =>
  (
    await sql.query<Deposit>(
      `with paid as (
         select p.currency, sum(p.amount_minor) as minor, coalesce(sum(p.amount_minor) filter (where p.paid_on < $2), 0) as before
         from ${depositPayments} where p.org_id = $1 and p.paid_on < $3 group by 1),
       billed as (
         select currency, sum(total_minor) as minor,
           sum(top_up_minor) + (array_agg(opening_minor order by month_on))[1] as paid
         from bills where org_id = $1 and type = 'predeposit' and month_on < $2 and status <> 'obsolete' group by 1)
       select currency, (coalesce(billed.paid, paid.before) - coalesce(billed.minor, 0))::int8 as opening,
         (coalesce(paid.minor, 0) - coalesce(billed.paid, paid.before))::int8 as top_up
       from paid full join billed using (currency)`,
      [customerId, `${month}-01`, until],
    )
  ).rows;
