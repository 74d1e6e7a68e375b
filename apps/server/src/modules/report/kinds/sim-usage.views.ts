import { createShareBars, figure, percentOf } from '../report.rules.ts';
import { endedCycles } from './cycles.views.ts';
import { type Source, series } from './source.ts';
import { existsSince, lastBundle, usageValues, usedInMonth } from './usage-rows.views.ts';

interface Row {
  iccid: string;
  device_name: string | null;
  bundle: string | null;
  days: number;
  up: number;
  down: number;
  /** Of the cycles that ended in the month, with what was used of it. */
  quota: number | null;
  quota_used: number | null;
  /** The one of them with the largest share of its quota, and usage beyond the quotas of all of them. */
  fullest_used: number | null;
  fullest_quota: number | null;
  over: number | null;
}

/** The cycle that the SIM used most of, by share; one over its quota before all others, even without a quota to divide by. */
const fullest = (column: string): string =>
  `(array_agg(u.${column} order by u.over_bytes > 0 desc, u.own_bytes::numeric / nullif(u.limit_bytes, 0) desc nulls last))[1]`;

/** The cycles with a quota that ended in the month, while the SIM (`s`) belonged to the organisation; none of those that a pool counted. */
const limitedCycles = `cross join lateral (
         select sum(u.limit_bytes)::bigint as quota, sum(u.own_bytes)::bigint as quota_used,
           ${fullest('own_bytes')} as fullest_used, ${fullest('limit_bytes')} as fullest_quota,
           sum(u.over_bytes)::bigint as over
         from (${endedCycles({ sim: 's.id', from: '$6', until: '$7' })}) as u
         where u.limit_bytes is not null and u.own_bytes is not null) as cycles`;

/** The day of the month for a day (UTC), which may begin before the month in the report's time zone, or end after it. */
const dayOfMonth = "least(greatest(day_on, $8::date), ($8::date + interval '1 month')::date - 1)";

/**
 * A row for each SIM that belonged to the organisation in the month, or whose late records were counted for it. Quota and
 * share are those of the cycles that ended in the month, with supplementary orders; the month need not be a cycle. A
 * quota is over in the cycle that exceeds it, whatever others leave: so bars and the figure count by the fullest cycle.
 */
export const simUsage: Source<Row> = {
  columns: [
    ['iccid', 'identifier'],
    ['device_name', 'text'],
    ['bundle', 'text'],
    ['days_online', 'count'],
    ['up', 'bytes'],
    ['down', 'bytes'],
    ['used', 'bytes'],
    ['quota', 'bytes'],
    ['of_quota', 'percent'],
    ['quota_used', 'bytes'],
    ['fullest_cycle', 'percent'],
    ['over', 'bytes'],
  ],
  rows: (query) => ({
    text: `with ${usedInMonth}, used_days as (
         select sim_id, ${dayOfMonth}, sum(up_bytes) as up, sum(down_bytes) as down from used group by 1, 2),
       sums as materialized (
         select sim_id, count(*) filter (where up + down > 0)::int as days, sum(up)::bigint as up, sum(down)::bigint as down
         from used_days group by sim_id having sum(up + down) > 0),
       own as (
         select sim_id from sim_owners where org_id = $1 and since < $3 and until > $2 union select sim_id from sums)
       select s.iccid, case when s.org_id = $1 then s.device_name end as device_name, bundle.name as bundle,
         coalesce(sums.days, 0) as days, coalesce(sums.up, 0)::bigint as up, coalesce(sums.down, 0)::bigint as down,
         cycles.quota, cycles.quota_used, cycles.fullest_used, cycles.fullest_quota, cycles.over
       from own join sims s on s.id = own.sim_id left join sums on sums.sim_id = s.id ${lastBundle('s.id')}
       ${limitedCycles}
       where ${existsSince('s')} < $3 or sums.sim_id is not null
       order by s.iccid`,
    values: [...usageValues(query), query.cycles.from, query.cycles.until, `${query.month}-01`],
  }),
  cells: ({ iccid, device_name, bundle, days, up, down, quota, quota_used: ofQuota, ...row }) => [
    ...[iccid, device_name, bundle, days, up, down, up + down, quota],
    ...[percentOf(ofQuota, quota), ofQuota, percentOf(row.fullest_used, row.fullest_quota), row.over],
  ],
  tally: () => {
    const shares = createShareBars();
    let [sims, used, unused] = [0, 0, 0];
    return {
      add: ({ up, down, fullest_used, fullest_quota }) => {
        const total = up + down;
        shares.add(fullest_used ?? total, fullest_quota);
        sims += 1;
        used += total;
        if (total === 0) unused += 1;
      },
      figures: () => [
        figure('sims', 'count', sims),
        figure('used', 'bytes', used),
        figure('over_quota', 'count', shares.over()),
        figure('unused', 'count', unused),
      ],
      series: () => series('count', shares.bars()),
    };
  },
};
