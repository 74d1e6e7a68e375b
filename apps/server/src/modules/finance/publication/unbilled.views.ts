import type { Sql } from '../../../platform/db/index.ts';

/** The last published month of the customer whose bills include an organisation. */
export const findLastPublished = async (sql: Sql, orgId: number): Promise<string | null> =>
  (
    await sql.query<{ month: string | null }>(
      `with recursive payers as (
         select o.id, o.parent_id, o.settlement as pays from organisations o where o.id = $1
         union all
         select o.id, o.parent_id, o.settlement from organisations o join payers c on c.parent_id = o.id
         where not c.pays and o.parent_id is not null)
       select to_char(max(m.month_on), 'YYYY-MM') as month from bill_months m
       where m.published_at is not null and m.org_id in (select id from payers)`,
      [orgId],
    )
  ).rows[0]?.month ?? null;

/** Whether an organisation had SIMs, which it no longer has, at an instant or later. */
export const hadSimsSince = async (sql: Sql, { orgId, at }: { orgId: number; at: Date }): Promise<boolean> =>
  (await sql.query('select 1 from sim_ownerships where org_id = $1 and until > $2 limit 1', [orgId, at]))
    .rowCount === 1;
