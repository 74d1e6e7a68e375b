import type { Estimate } from '@simcube/contract/finance';
import { addMonths } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Customer, customersSql } from '../customers.views.ts';

interface StoredEstimate {
  month: string;
  computed_at: Date;
  estimate: Omit<Estimate, 'month' | 'computed_at'>;
}

const estimateColumns = "to_char(e.month_on, 'YYYY-MM') as month, e.computed_at, e.estimate";

const toEstimate = (row: StoredEstimate | undefined): Estimate | null =>
  row ? { month: row.month, computed_at: row.computed_at.toISOString(), ...row.estimate } : null;

/** The last computed estimate of a month (`YYYY-MM`); null before the first. */
export const findEstimate = async (
  sql: Sql,
  { orgId, month }: { orgId: number; month: string },
): Promise<Estimate | null> =>
  toEstimate(
    (
      await sql.query<StoredEstimate>(
        `select ${estimateColumns} from bill_estimates e where e.org_id = $1 and e.month_on = $2`,
        [orgId, `${month}-01`],
      )
    ).rows[0],
  );

/** Whether the month of an estimate (e) has no draft yet. */
const isUndrafted = `not exists (
  select from bill_months m where m.org_id = e.org_id and m.month_on = e.month_on and m.drafted_at is not null)`;

/** The last computed estimate of the running month, or of one that is over and has no draft yet; null if there is neither. */
export const findUndrafted = async (
  sql: Sql,
  { orgId, month }: { orgId: number; month: string },
): Promise<Estimate | null> =>
  toEstimate(
    (
      await sql.query<StoredEstimate>(
        `select ${estimateColumns} from bill_estimates e where e.org_id = $1 and (e.month_on >= $2 or ${isUndrafted})`,
        [orgId, `${month}-01`],
      )
    ).rows[0],
  );

/**
 * Customers without an estimate of a month computed since an instant, by id. While drafts of the month before are
 * awaited, its estimate is not replaced until it has one: until then it is all that is known of its charges.
 */
export const listOutdated = async (
  sql: Sql,
  { month, before, awaitsDrafts }: { month: string; before: Date; awaitsDrafts: boolean },
): Promise<Customer[]> =>
  (
    await sql.query<Customer>(
      `select c.* from (${customersSql}) as c left join bill_estimates e on e.org_id = c.id and e.month_on >= $3
       where e.computed_at is null or e.month_on = $1 and e.computed_at < $2 or e.month_on = $3 and not ($4 and ${isUndrafted})
       order by c.id`,
      [`${month}-01`, before, `${addMonths(month, -1)}-01`, awaitsDrafts],
    )
  ).rows;
