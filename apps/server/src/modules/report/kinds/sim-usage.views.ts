import { createShareBars, figure } from '../report.rules.ts';
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
  isOver: boolean;
}

/** The cycles with a quota that ended in the month, while the SIM (`s`) belonged to the organisation; none of those that a pool counted. */
const limitedCycles = `cross join lateral (
         select sum(u.limit_bytes)::bigint as quota, sum(u.own_bytes)::bigint as quota_used,
           coalesce(bool_or(u.over_bytes > 0), false) as "isOver"
         from (${endedCycles({ sim: 's.id', from: '$6', until: '$7' })}) as u
         where u.limit_bytes is not null and u.own_bytes is not null) as cycles`;

/** The day of the month for a day (UTC), which may begin before the month in the report's time zone, or end after it. */
const dayOfMonth = "least(greatest(day_on, $8::date), ($8::date + interval '1 month')::date - 1)";

/**
 * A row for each SIM that belonged to the organisation in the month, or whose late records were counted for it. Quota and
 * share are those of the cycles that ended in the month, with supplementary orders; the month need not be a cycle.
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
         cycles.quota, cycles.quota_used, cycles."isOver"
       from own join sims s on s.id = own.sim_id left join sums on sums.sim_id = s.id ${lastBundle('s.id')}
       ${limitedCycles}
       where ${existsSince('s')} < $3 or sums.sim_id is not null
       order by s.iccid`,
    values: [...usageValues(query), query.cycles.from, query.cycles.until, `${query.month}-01`],
  }),
  cells: ({ iccid, device_name, bundle, days, up, down, quota, quota_used: ofQuota }) => [
    ...[iccid, device_name, bundle, days, up, down, up + down, quota],
    quota && ofQuota !== null ? Math.round((ofQuota * 100) / quota) : null,
    ofQuota,
  ],
  tally: () => {
    const shares = createShareBars();
    let [sims, used, over, unused] = [0, 0, 0, 0];
    return {
      add: ({ up, down, quota, quota_used: ofQuota, isOver }) => {
        const total = up + down;
        shares.add(ofQuota ?? total, quota);
        sims += 1;
        used += total;
        if (total === 0) unused += 1;
        if (isOver) over += 1;
      },
      figures: () => [
        figure('sims', 'count', sims),
        figure('used', 'bytes', used),
        figure('over_quota', 'count', over),
        figure('unused', 'count', unused),
      ],
      series: () => series('count', shares.bars()),
    };
  },
};
