import type { SettlementTerms } from '@simcube/contract/finance';
import { groupBy } from '../../platform/collections/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import type { BillSection, FormerTariff } from './charges/section.rules.ts';

export interface Customer {
  id: number;
  code: string;
  name: string;
  terms: SettlementTerms;
  credit_limit_minor: number | null;
  /** Null: the limit is from before it had a currency, and applies to each. */
  credit_currency: string | null;
}

/** A customer's credit limit for its bills in a currency; null if it has none. */
export const creditLimitOf = (
  { credit_limit_minor: limit, credit_currency }: Pick<Customer, 'credit_limit_minor' | 'credit_currency'>,
  currency: string,
): number | null => (credit_currency === null || credit_currency === currency ? limit : null);

/** Settlement customers: organisations of the first level, and those that the operator made so. */
export const customersSql = `
  select o.id, o.code, o.name, coalesce(t.terms, 'post-payment') as terms, t.credit_limit_minor,
    t.credit_currency
  from organisations o join organisations p on p.id = o.parent_id left join settlement_terms t on t.org_id = o.id
  where (o.settlement or p.parent_id is null)`;

/** Settlement customers by id, or the one with a code. */
export const listCustomers = async (sql: Sql, code?: string): Promise<Customer[]> =>
  (
    await sql.query<Customer>(
      `${customersSql} and ($1::text is null or lower(o.code) = lower($1)) order by o.id`,
      [code ?? null],
    )
  ).rows;

export const findCustomer = async (sql: Sql, id: number): Promise<Customer | undefined> =>
  (await sql.query<Customer>(`${customersSql} and o.id = $1`, [id])).rows[0];

/** The organisations on a customer's bills: itself and those below it that don't pay themselves. */
export const listSections = async (sql: Sql, customerId: number): Promise<number[]> => {
  const { rows } = await sql.query<{ id: number }>(
    `with recursive sections as (
       select $1::bigint as id
       union all
       select o.id from organisations o join sections s on o.parent_id = s.id
       where not o.settlement)
     select id from sections order by id`,
    [customerId],
  );
  return rows.map(({ id }) => id);
};

/**
 * The organisations of a published bill: those that the customer has now, and those that the bill charges although
 * they have been deleted since.
 */
export const listBillSections = async (
  sql: Sql,
  { customerId, serial }: { customerId: number; serial: number },
): Promise<BillSection[]> => {
  const sections = (await listSections(sql, customerId)).map((orgId): BillSection => ({ orgId }));
  const { rows } = await sql.query<FormerTariff & { orgId: number }>(
    `select n.org_id as "orgId", t.id as "tariffId", min(c.cycle_started_at) as since
     from bills b join bill_lines n on n.bill_id = b.id
     join bill_charges c on c.bill_id = n.bill_id and c.line = n.line
     join tariffs t on t.code = n.tariff_code
     where b.serial = $1 and b.tariff_id is null and n.corrects_on is null
       and not exists (select from organisations o where o.id = n.org_id)
     group by 1, 2 order by 1, 3`,
    [serial],
  );
  const deleted = [...groupBy(rows, ({ orgId }) => orgId)];
  return [...sections, ...deleted.map(([orgId, formerTariffs]) => ({ orgId, formerTariffs }))];
};

/**
 * Customers whose month is not published, by id. If it is only to be drafted, or awaits a tariff, those without
 * a draft since the day began.
 */
export const listDueCustomers = async (
  sql: Sql,
  { month, shouldPublish, today }: { month: string; shouldPublish: boolean; today: Date },
): Promise<Customer[]> =>
  (
    await sql.query<Customer>(
      `select c.* from (${customersSql}) as c left join bill_months m on m.org_id = c.id and m.month_on = $1
       where m.published_at is null
         and ($2 and m.awaits_tariff is not true or m.drafted_at is null or m.drafted_at < $3) order by c.id`,
      [`${month}-01`, shouldPublish, today],
    )
  ).rows;

/**
 * Customers whose month is past its due date and not published, by id: no worker published it in time, or it still
 * awaits a tariff and was not computed since the day began. Without a draft or an earlier bill, an organisation is
 * a new customer, whose bills begin with the due month.
 */
export const listLateCustomers = async (
  sql: Sql,
  { month, today }: { month: string; today: Date },
): Promise<Customer[]> =>
  (
    await sql.query<Customer>(
      `select c.* from (${customersSql}) as c left join bill_months m on m.org_id = c.id and m.month_on = $1
       where m.published_at is null and (m.awaits_tariff is not true or m.drafted_at < $2)
         and (m.drafted_at is not null or exists (
           select from bill_months e where e.org_id = c.id and e.month_on < $1 and e.published_at is not null))
       order by c.id`,
      [`${month}-01`, today],
    )
  ).rows;
