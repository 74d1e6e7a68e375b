import { addMonths } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { awaitedMonths, billingWork, billNumber } from '../bill.rules.ts';
import { customersSql } from '../customers.views.ts';

export interface HeldDraft {
  number: string;
  organisation: string;
  currency: string;
  total_minor: number;
  /** `no-tariff`, `unusual-amount`, or the operator's reason. */
  reason: string;
}

/** Drafts that are not published automatically, the oldest month first. */
export const listHeld = async (sql: Sql, limit: number): Promise<HeldDraft[]> => {
  const { rows } = await sql.query<Omit<HeldDraft, 'number'> & { month: string; serial: number }>(
    `select to_char(b.month_on, 'YYYY-MM') as month, b.serial, o.code as organisation, b.currency, b.total_minor,
       b.held_reason as reason
     from bills b join organisations o on o.id = b.org_id
     where b.status = 'draft' and b.held_reason is not null order by b.month_on, b.id limit $1`,
    [limit],
  );
  return rows.map(({ month, serial, ...draft }) => ({ number: billNumber({ month, serial }), ...draft }));
};

/**
 * Drafts past the day on which their month is published: held, or of SIMs that are not processed. Also customers
 * without a draft of such a month, since none could be made: their months are those that the job would publish.
 */
export const countUnpublished = async (sql: Sql, now: Date): Promise<number> => {
  const { month, shouldPublish } = billingWork(now);
  const late = Array.from({ length: awaitedMonths }, (_, index) => addMonths(month, -1 - index));
  const months = (shouldPublish ? [month, ...late] : late).map((one) => `${one}-01`);
  const { rows } = await sql.query<{ unpublished: number }>(
    `select ((select count(*) from bills where status = 'draft' and month_on <= ($1::date[])[1]) + (
       select count(*) from (${customersSql}) as c cross join unnest($1::date[]) as d (month_on)
       left join bill_months m on m.org_id = c.id and m.month_on = d.month_on
       where m.published_at is null and m.drafted_at is null and (d.month_on = $2 or exists (
         select from bill_months e
         where e.org_id = c.id and e.month_on < d.month_on and e.published_at is not null))))::int as unpublished`,
    [months, `${month}-01`],
  );
  return rows[0]?.unpublished ?? 0;
};
