import type { Estimate } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { type Customer, customersSql } from '../customers.views.ts';

/** The last computed estimate of a month (`YYYY-MM`); null before the first. */
export const findEstimate = async (
  sql: Sql,
  { orgId, month }: { orgId: number; month: string },
): Promise<Estimate | null> => {
  const { rows } = await sql.query<{
    computed_at: Date;
    estimate: Omit<Estimate, 'month' | 'computed_at'>;
  }>('select computed_at, estimate from bill_estimates where org_id = $1 and month_on = $2', [
    orgId,
    `${month}-01`,
  ]);
  return rows[0] ? { month, computed_at: rows[0].computed_at.toISOString(), ...rows[0].estimate } : null;
};

/** Customers without an estimate of a month computed since an instant, by id. */
export const listOutdated = async (
  sql: Sql,
  { month, before }: { month: string; before: Date },
): Promise<Customer[]> =>
  (
    await sql.query<Customer>(
      `select c.* from (${customersSql}) as c left join bill_estimates e on e.org_id = c.id and e.month_on = $1
       where e.computed_at is null or e.computed_at < $2 order by c.id`,
      [`${month}-01`, before],
    )
  ).rows;
