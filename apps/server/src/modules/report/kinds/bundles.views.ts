import { phrase } from '@simcube/phrases';
import { addToSum, figure, largestBars } from '../report.rules.ts';
import { endedCycles } from './cycles.views.ts';
import { type Source, series } from './source.ts';

interface Row {
  order_id: string;
  sales_order: string | null;
  iccid: string;
  bundle: string;
  status: 'in use' | 'expired';
  activated_at: Date;
  expires_at: Date | null;
  quota: number | null;
  cycles: number;
  used: number;
  over: number;
}

/**
 * Orders in use in the month of business days while their SIMs belonged to the organisation, each with its cycles that ended in
 * the month: their usage, and the SIM's overage, which usage that counted for a pool is not part of. Their status is that at the end of the month, or when
 * the order left with its SIM. Supplementary orders count towards the quota of the basic order's cycles.
 */
export const bundles: Source<Row> = {
  columns: [
    ['sales_order', 'identifier'],
    ['iccid', 'identifier'],
    ['bundle', 'text'],
    ['status', 'text'],
    ['activated', 'text'],
    ['expires', 'text'],
    ['quota', 'bytes'],
    ['cycles', 'count'],
    ['used', 'bytes'],
    ['over', 'bytes'],
    ['order_id', 'identifier'],
  ],
  rows: ({ orgId, cycles }) => ({
    text: `with own as (select sim_id, since, until from sim_owners where org_id = $1 and since < $3 and until > $2)
       select distinct on (s.iccid, o.activated_at, o.id) o.id::text as order_id, o.sales_order_id as sales_order, s.iccid, b.name as bundle,
         case when o.expires_at <= least(own.until, $3) then 'expired' else 'in use' end as status, o.activated_at,
         case when coalesce(o.org_id, o.former_org_id) = $1 then o.expires_at end as expires_at,
         b.quota_bytes as quota, c.cycles, c.used, c.over
       from own join bundle_orders o on o.sim_id = own.sim_id join bundles b on b.id = o.bundle_id
       join sims s on s.id = o.sim_id
       cross join lateral (
         select count(*)::int as cycles, coalesce(sum(u.used_bytes), 0)::bigint as used,
           coalesce(sum(u.over_bytes), 0)::bigint as over
         from (${endedCycles({ sim: 'o.sim_id', from: '$2', until: '$3' })}) as u
         where b.type <> 'prepaid supplementary' and u.cycle_ends_at > o.activated_at
           and u.cycle_started_at < coalesce(o.expires_at, 'infinity')
           and not exists (
             select 1 from bundle_orders n join bundles nb on nb.id = n.bundle_id
             where n.sim_id = o.sim_id and nb.type <> 'prepaid supplementary' and n.activated_at > o.activated_at
               and n.activated_at < u.cycle_ends_at)) as c
       where o.activated_at < least(own.until, $3) and coalesce(o.expires_at, 'infinity') > greatest(own.since, $2)
       order by s.iccid, o.activated_at, o.id, own.until desc`,
    values: [orgId, cycles.from, cycles.until],
  }),
  cells: ({ sales_order, iccid, bundle, status, activated_at, expires_at, ...row }, { language, time }) => [
    ...[sales_order, iccid, bundle, phrase(language, `files.serviceStatus.${status}`)],
    ...[time(activated_at), time(expires_at), row.quota, row.cycles, row.used, row.over],
    row.order_id,
  ],
  tally: ({ language }) => {
    const byBundle = new Map<string, number>();
    let [orders, used, over, overQuota] = [0, 0, 0, 0];
    return {
      add: (row) => {
        addToSum(byBundle, row.bundle, row.used);
        orders += 1;
        used += row.used;
        over += row.over;
        if (row.over > 0) overQuota += 1;
      },
      figures: () => [
        figure('orders', 'count', orders),
        figure('used', 'bytes', used),
        figure('over', 'bytes', over),
        figure('over_quota', 'count', overQuota),
      ],
      series: () => series('bytes', largestBars(byBundle, phrase(language, 'report.bars.others'))),
    };
  },
};
