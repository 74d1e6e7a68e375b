import type { BillLineKind, BillUnit } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { billNumber } from '../bill.rules.ts';

export interface BillToCheck {
  id: number;
  serial: number;
  org_id: number;
  month: string;
  type: 'post-payment' | 'advance' | 'credit' | 'predeposit';
  currency: string;
  tariff_id: number | null;
  total: string;
  /** The sum of the lines. */
  summed: string;
  /** Number of lines that differ from the sum of their SIMs. */
  unlike: number;
  /** Number of SIMs that differ from the sum of their parts of the lines. */
  unlike_sims: number;
}

/** The newest version of a bill, with the sums of its parts. */
export const findBillToCheck = async (sql: Sql, serial: number): Promise<BillToCheck | undefined> =>
  (
    await sql.query<BillToCheck>(
      `select b.id, b.serial, b.org_id, to_char(b.month_on, 'YYYY-MM') as month, b.type, b.currency, b.tariff_id,
         b.total_minor::text as total,
         (select coalesce(sum(amount_minor), 0)::text from bill_lines where bill_id = b.id) as summed,
         (select count(*)::int from bill_lines n where n.bill_id = b.id and n.pool_id is null and n.quantity <> (
            select coalesce(sum(quantity), 0) from bill_charges where bill_id = n.bill_id and line = n.line)) as unlike,
         (select count(*)::int from (
            select c.sim_id, sum(c.quantity * n.price_micros) as amount_micros
            from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line
            where c.bill_id = b.id group by 1) as c
          full join (select sim_id, amount_micros from bill_sims where bill_id = b.id) as m using (sim_id)
          where c.amount_micros is distinct from m.amount_micros) as unlike_sims
       from bills b where b.serial = $1 order by b.version desc limit 1`,
      [serial],
    )
  ).rows[0];

/** Numbers of all published bills that were not replaced, the oldest first. */
export const listBillNumbers = async (sql: Sql): Promise<string[]> =>
  (
    await sql.query<{ month: string; serial: number }>(
      `select to_char(month_on, 'YYYY-MM') as month, serial::int as serial from bills
       where status in ('published', 'paid') order by month_on, serial`,
    )
  ).rows.map(billNumber);

export interface BilledAmount {
  line: number;
  quantity: string;
  price_micros: string;
  amount_minor: string;
}

/** The stored amount of each line of a bill. */
export const listBilledAmounts = async (sql: Sql, billId: number): Promise<BilledAmount[]> =>
  (
    await sql.query<BilledAmount>(
      `select line, quantity::text, price_micros::text, amount_minor::text from bill_lines where bill_id = $1 order by line`,
      [billId],
    )
  ).rows;

export interface BilledQuantity {
  org_id: number;
  kind: BillLineKind;
  code: string | null;
  pool_id: number | null;
  unit: BillUnit;
  price_micros: string;
  tariff_version_id: number;
  quantity: string;
}

/** What was billed for a bill's month: its own lines, and corrections by other bills. */
export const listBilledQuantities = async (sql: Sql, bill: BillToCheck): Promise<BilledQuantity[]> =>
  (
    await sql.query<BilledQuantity>(
      `select n.org_id, n.kind, coalesce(n.bundle_code, n.zone_code) as code, n.pool_id, n.unit,
         n.price_micros::text, n.tariff_version_id, sum(n.quantity)::text as quantity
       from (
         select * from bill_lines where bill_id = $1 and corrects_on is null
         union all
         select l.* from bills b join bill_lines l on l.bill_id = b.id
         where b.org_id = $2 and b.type <> 'advance' and $3 <> 'advance' and b.currency = $4 and b.status <> 'obsolete' and l.corrects_on = $5) as n
       group by 1, 2, 3, 4, 5, 6, 7`,
      [bill.id, bill.org_id, bill.type, bill.currency, `${bill.month}-01`],
    )
  ).rows;

/**
 * Since when a bill needs the records that it was charged by: usage of cycles and pools' cycles, and messages. Null if it
 * charges only fees. Without a bundle, cycles are months: usage after a former cycle's end counts in the next one for a
 * month at most.
 */
export const findFirstRecords = async (sql: Sql, billId: number): Promise<Date | null> =>
  (
    await sql.query<{ since: Date | null }>(
      `with charged as (
         select n.* from bill_lines n where n.bill_id = $1 and n.corrects_on is null
         union all
         select n.* from bills b join bills o on o.org_id = b.org_id and o.currency = b.currency
           and o.type <> 'advance' and o.status <> 'obsolete'
         join bill_lines n on n.bill_id = o.id and n.corrects_on = b.month_on
         where b.id = $1 and b.type <> 'advance')
       select min(case
         when n.kind in ('sms-mt', 'sms-mo') then c.cycle_started_at
         when n.kind = 'over-pool-limit' then n.pool_cycle_at
         else greatest(c.cycle_started_at - interval '31 days', coalesce((
           select max(f.cycle_ends_at) from usage_cycles f
           where f.sim_id = c.sim_id and f.cycle_started_at < c.cycle_started_at), c.cycle_started_at)) end) as since
       from charged n left join bill_charges c on c.bill_id = n.bill_id and c.line = n.line
       where n.kind in ('over-quota', 'out-of-coverage', 'over-pool-limit', 'sms-mt', 'sms-mo')`,
      [billId],
    )
  ).rows[0]?.since ?? null;

/** Number of cycles of a month whose usage differs from what the last bill with them assumed. */
export const countLateCycles = async (sql: Sql, { org_id, month }: BillToCheck): Promise<number> =>
  (
    await sql.query<{ late: number }>(
      `select count(*)::int as late from (
         select distinct on (k.sim_id, k.cycle_started_at, k.org_id) k.* from bill_cycles k
         where k.customer_id = $1 and k.month_on >= $2 and exists (
           select from bill_cycles o where o.sim_id = k.sim_id and o.cycle_started_at = k.cycle_started_at
             and o.org_id = k.org_id and o.month_on = $2)
         order by k.sim_id, k.cycle_started_at, k.org_id, k.month_on desc) as k
       join usage_cycles u on u.sim_id = k.sim_id and u.cycle_started_at = k.cycle_started_at
       where (u.used_bytes, u.limit_bytes) is distinct from (k.used_bytes, k.limit_bytes)`,
      [org_id, `${month}-01`],
    )
  ).rows[0]?.late ?? 0;
