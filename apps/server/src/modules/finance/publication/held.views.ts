import { addMonths } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { billingWork, billNumber } from '../bill.rules.ts';

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

/** Drafts past the day on which their month is published: held, or of SIMs that are not processed. */
export const countUnpublished = async (sql: Sql, now: Date): Promise<number> => {
  const { month, shouldPublish } = billingWork(now);
  const { rows } = await sql.query<{ drafts: number }>(
    `select count(*)::int as drafts from bills where status = 'draft' and month_on <= $1`,
    [`${shouldPublish ? month : addMonths(month, -1)}-01`],
  );
  return rows[0]?.drafts ?? 0;
};
