import type { BundleSpec } from '@simcube/contract/bundle';
import type { Sql } from '../../../platform/db/index.ts';
import { basicOrderIn } from '../../bundle/index.ts';

/**
 * The oldest unpublished month from a first to the running one, of the customer whose bills include an organisation;
 * not one before the customer's first bill.
 */
export const findFirstUnpublished = async (
  sql: Sql,
  { orgId, first, running }: { orgId: number; first: string; running: string },
): Promise<string> =>
  (
    await sql.query<{ month: string }>(
      `with recursive payers as (
         select o.id, o.parent_id, o.settlement as pays from organisations o where o.id = $1
         union all
         select o.id, o.parent_id, o.settlement from organisations o join payers c on c.parent_id = o.id
         where not c.pays and o.parent_id is not null),
       billed as (
         select month_on, published_at from bill_months m
         where m.org_id in (select id from payers) and (m.published_at is not null or m.drafted_at is not null))
       select to_char(g.month_on, 'YYYY-MM') as month
       from generate_series($2::date::timestamp, $3::date::timestamp, '1 month') as g (month_on)
       where g.month_on >= coalesce((select min(month_on) from billed), $2::date)
         and not exists (select from billed b where b.month_on = g.month_on and b.published_at is not null)
       order by g.month_on limit 1`,
      [orgId, `${first}-01`, `${running}-01`],
    )
  ).rows[0]?.month ?? running;

/** Whether an organisation had SIMs, which it no longer has, at an instant or later. */
export const hadSimsSince = async (sql: Sql, { orgId, at }: { orgId: number; at: Date }): Promise<boolean> =>
  (await sql.query('select 1 from sim_ownerships where org_id = $1 and until > $2 limit 1', [orgId, at]))
    .rowCount === 1;

export type UnbilledCycle = { cycle_started_at: Date } & Pick<
  BundleSpec,
  'out_of_coverage_policy' | 'coverage_countries'
>;

/**
 * Cycles with usage that end after an instant and in which an organisation had SIMs, by start and bundle. A cycle lasts a
 * year at most.
 */
export const listCyclesAfter = async (
  sql: Sql,
  { orgId, at }: { orgId: number; at: Date },
): Promise<UnbilledCycle[]> =>
  (
    await sql.query<UnbilledCycle>(
      `select distinct c.cycle_started_at, b.out_of_coverage_policy, b.coverage_countries
       from sim_ownerships p cross join lateral (
         select sim_id, cycle_started_at, cycle_ends_at, used_bytes from usage_cycles where sim_id = p.sim_id
         union all
         select sim_id, cycle_started_at, cycle_ends_at, used_bytes from sim_live where sim_id = p.sim_id) as c
       cross join lateral (${basicOrderIn('c')}) as o join bundles b on b.id = o.bundle_id
       where p.org_id = $1 and p.until > $2::timestamptz - interval '366 days' and c.cycle_started_at < p.until
         and c.cycle_ends_at > greatest($2, p.since) and coalesce(o.expires_at, 'infinity') > $2 and c.used_bytes > 0`,
      [orgId, at],
    )
  ).rows;
