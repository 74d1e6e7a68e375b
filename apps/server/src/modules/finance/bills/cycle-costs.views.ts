import type { Amount } from '@simcube/contract/price';
import { addMonths } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { lineAmount } from '../../price/index.ts';
import { awaitedMonths, billingWork } from '../bill.rules.ts';
import { customersSql } from '../customers.views.ts';

interface BilledQuantity {
  started_at: Date;
  currency: string;
  price_micros: string;
  quantity: string;
}

/**
 * What a settlement customer's issued bills charge it for cycles of its SIM whose usage they contain, by the start of
 * the cycle; a draft, which may still change, does not count. As the cost of a running cycle, each of its charges is rounded.
 */
export const findBilledCosts = async (
  sql: Sql,
  { orgId, simId }: { orgId: number; simId: number },
): Promise<ReadonlyMap<string, Amount>> => {
  const { rows } = await sql.query<BilledQuantity>(
    `select c.cycle_started_at as started_at, b.currency, n.price_micros::text, sum(c.quantity)::text as quantity
     from bill_charges c join bill_lines n on n.bill_id = c.bill_id and n.line = c.line join bills b on b.id = c.bill_id
     where c.sim_id = $1 and b.org_id = $2 and n.org_id = $2 and b.status in ('published', 'paid')
       and n.kind not in ('sms-mt', 'sms-mo')
       and exists (
         select from bill_cycles k
         join bill_months i on i.org_id = k.customer_id and i.month_on = k.month_on and i.published_at is not null
         where k.sim_id = c.sim_id and k.cycle_started_at = c.cycle_started_at
           and k.org_id = $2 and k.customer_id = $2)
     group by c.cycle_started_at, b.currency, n.kind, n.bundle_code, n.zone_code, n.price_micros`,
    [simId, orgId],
  );
  const costs = new Map<string, Amount>();
  for (const { started_at, currency, price_micros, quantity } of rows) {
    const start = started_at.toISOString();
    const amount = lineAmount({ quantity: BigInt(quantity), priceMicros: BigInt(price_micros), currency });
    const { amount_minor: sum } = costs.get(start) ?? { amount_minor: 0 };
    costs.set(start, { currency, amount_minor: sum + Number(amount) });
  }
  return costs;
};

/**
 * Those of some months (`YYYY-MM`) for which an organisation has no bills of its own, but its settlement customer gets
 * some, and whether that customer's are published. Months before the customer's first bill are never billed, nor are
 * those that nobody published for months.
 */
export const findUnbilledMonths = async (
  sql: Sql,
  { orgId, months, now }: { orgId: number; months: ReadonlySet<string>; now: Date },
): Promise<{ customerId: number; months: ReadonlyMap<string, { isPublished: boolean }> }> => {
  const { month: due } = billingWork(now);
  const { rows } = await sql.query<{ customer: number; month: string; published: boolean }>(
    `with recursive above as (
       select id, parent_id, 0 as depth from organisations where id = $1
       union all
       select o.id, o.parent_id, a.depth + 1 from above a join organisations o on o.id = a.parent_id)
     select c.id as customer, to_char(w.month_on, 'YYYY-MM') as month, m.published_at is not null as published
     from (
       select c.id from above a cross join lateral (${customersSql} and o.id = a.id) as c
       order by a.depth limit 1) as c
     cross join unnest($2::date[]) as w (month_on)
     left join bill_months m on m.org_id = c.id and m.month_on = w.month_on
     left join bill_months own on own.org_id = $1 and own.month_on = w.month_on
     where own.published_at is null and (m.published_at is not null or w.month_on >= $4::date and (
       w.month_on >= $3::date or m.drafted_at is not null or exists (
         select from bill_months e where e.org_id = c.id and e.month_on < w.month_on and e.published_at is not null)))`,
    [orgId, [...months].map((month) => `${month}-01`), `${due}-01`, `${addMonths(due, -awaitedMonths)}-01`],
  );
  return {
    customerId: rows[0]?.customer ?? 0,
    months: new Map(rows.map(({ month, published }) => [month, { isPublished: published }])),
  };
};
