import { limits } from '@simcube/contract';
import type { BillGroup, Estimate, Settlement } from '@simcube/contract/finance';
import { addMonths, dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { groupsOf } from '../bill.rules.ts';
import { creditLimitOf } from '../customers.views.ts';
import { depositPayments, openMinor } from '../deposits.rules.ts';
import { findUndrafted } from '../estimate/stored-estimates.views.ts';

type CurrencyRow = Omit<
  Settlement['currencies'][number],
  'months' | 'undrafted' | 'credit_limit_minor' | 'credit_used_minor'
>;
type Terms = Pick<Settlement, 'terms' | 'credit_limit_minor'> & { credit_currency: string | null };

interface MonthRow {
  currency: string;
  month: string;
  provisional: boolean;
  kinds: Parameters<typeof groupsOf>[0];
}

/** A settlement customer's open amounts, and the totals of the year's months, or of the last twelve. */
export const readSettlement = async (
  db: Sql,
  { orgId, now, year }: { orgId: number; now: Date; year?: number | undefined },
): Promise<Settlement> => {
  const { rows: stored } = await db.query<Terms>(
    'select terms, credit_limit_minor, credit_currency from settlement_terms where org_id = $1',
    [orgId],
  );
  const terms = stored[0] ?? { terms: 'post-payment', credit_limit_minor: null, credit_currency: null };
  const month = dashboardDays.monthOf(now);
  const undrafted = await findUndrafted(db, { orgId, month });
  const { rows: currencies } = await db.query<CurrencyRow>(
    `with open as (
       select b.id, b.currency, b.type, b.month_on, b.due_on, ${openMinor} as minor, b.due_on < $2::date as past_due from bills b
       where b.org_id = $1 and b.status = 'published'),
     deposits as (
       select currency, sum(minor) as minor from (
         select p.currency, p.amount_minor as minor from ${depositPayments} where p.org_id = $1
         union all
         select currency, -total_minor from bills where org_id = $1 and type = 'predeposit' and status in ('published', 'paid')) as d
       group by 1)
     select c.currency, coalesce((select sum(minor) from open where currency = c.currency), 0)::int8 as open_minor,
       coalesce((select sum(minor) from open where currency = c.currency and past_due), 0)::int8 as past_due_minor,
       coalesce((select sum(total_minor) from bills where org_id = $1 and currency = c.currency and status = 'draft'
         and month_on < $4::date), 0)::int8 as drafts_minor,
       coalesce((select -sum(${openMinor}) from bills b where b.org_id = $1 and b.currency = c.currency
         and b.status = 'paid' and b.type <> 'predeposit'), 0)::int8 as credit_balance_minor,
       (select count(*) from open where currency = c.currency and minor > 0)::int as open_count,
       coalesce((
         select json_agg(json_build_object('id', id::text, 'type', type, 'month', to_char(month_on, 'YYYY-MM'), 'due_on', due_on,
           'to_pay_minor', minor, 'state', case when past_due then 'expired' else 'issued' end) order by first.due_on, first.id)
         from (select * from open where currency = c.currency and minor > 0 order by open.due_on, open.id limit $3) as first), '[]') as open_bills,
       (select minor from deposits where currency = c.currency)::int8 as deposit_minor
     from (select currency from bills where org_id = $1 union select currency from deposits union select unnest($5::text[])) as c
     order by 1`,
    [
      ...[orgId, dashboardDays.dayOf(now), limits.bills.open, `${month}-01`],
      creditCurrencies(terms, undrafted),
    ],
  );
  const { rows: ends } = await db.query<{ first: string | null; last: string | null }>(
    `select to_char(min(month_on), 'YYYY-MM') as first, to_char(max(month_on), 'YYYY-MM') as last
     from bills where org_id = $1 and status <> 'obsolete'`,
    [orgId],
  );
  const { first = null, last = null } = ends[0] ?? {};
  const { rows: months } = await db.query<MonthRow>(
    `select k.currency, to_char(k.month_on, 'YYYY-MM') as month, bool_or(k.provisional) as provisional,
       json_agg(json_build_object('kind', k.kind, 'corrects', k.corrects, 'amount_minor', k.amount_minor)) as kinds
     from (
       select b.currency, b.month_on, b.status = 'draft' as provisional, n.kind, n.corrects_on is not null as corrects,
         sum(n.amount_minor)::int8 as amount_minor
       from bills b join bill_lines n on n.bill_id = b.id
       where b.org_id = $1 and b.status <> 'obsolete' and b.month_on between $2::date and $3::date
       group by 1, 2, 3, 4, 5) as k
     group by k.currency, k.month_on order by k.month_on`,
    [orgId, ...monthsShown(last, year)],
  );
  const { rows: states } = await db.query<Settlement['states'][number]>(
    `select case when status <> 'published' then status when due_on < $2::date then 'expired' else 'issued' end as state,
       count(*)::int as bills
     from bills where org_id = $1 and status <> 'obsolete' group by 1`,
    [orgId, dashboardDays.dayOf(now)],
  );
  return {
    states,
    terms: terms.terms,
    credit_limit_minor: terms.credit_limit_minor,
    credit_limit_currency: terms.credit_currency,
    first_month: first,
    last_month: last,
    currencies: currencies.map((row) => ({
      ...row,
      ...creditOf(row, { limit: creditLimitOf(terms, row.currency), undrafted }),
      months: months.filter(({ currency }) => currency === row.currency).flatMap(monthOf),
    })),
  };
};

/** Before its first bill, a customer uses its credit in the limit's currency, else in those of the estimate. */
const creditCurrencies = (
  { credit_limit_minor: limit, credit_currency: currency }: Terms,
  undrafted: Estimate | null,
): string[] => {
  if (limit === null) return [];
  return currency === null ? (undrafted?.currencies ?? []).map((one) => one.currency) : [currency];
};

/** What the credit is used for: each month once, by its bills, its drafts or its estimate. */
const creditOf = (
  { currency, open_minor: open, drafts_minor: drafts }: CurrencyRow,
  { limit, undrafted }: { limit: number | null; undrafted: Estimate | null },
) => {
  const soFar = undrafted?.currencies.find((one) => one.currency === currency)?.so_far_minor ?? 0;
  return {
    undrafted: undrafted && { month: undrafted.month, so_far_minor: soFar },
    credit_limit_minor: limit,
    credit_used_minor: limit === null ? null : open + drafts + soFar,
  };
};

/** First days of the first and the last month: those of the year, or the last twelve. */
const monthsShown = (last: string | null, year: number | undefined): [string | null, string | null] => {
  if (year !== undefined) return [`${year}-01-01`, `${year}-12-01`];
  return last === null ? [null, null] : [`${addMonths(last, -11)}-01`, `${last}-01`];
};

const monthOf = ({ month, provisional, kinds }: MonthRow) =>
  groupsOf(kinds).map(({ group, amount_minor }: { group: BillGroup; amount_minor: number }) => ({
    month,
    group,
    amount_minor,
    provisional,
  }));
