import { limits } from '@simcube/contract';
import { figure, percentOf } from '../report.rules.ts';
import { type Source, series } from './source.ts';

interface Row {
  id: number;
  pool: string;
  started_at: Date;
  ends_at: Date;
  sims: number;
  limit: number;
  used: number;
  events: number;
}

/** A row for each cycle of a pool that ended in the month of business days. */
export const pools: Source<Row> = {
  columns: [
    ['pool', 'text'],
    ['cycle_started', 'text'],
    ['cycle_ends', 'text'],
    ['sims', 'count'],
    ['limit', 'bytes'],
    ['used', 'bytes'],
    ['of_quota', 'percent'],
    ['over', 'bytes'],
    ['events', 'count'],
  ],
  rows: ({ orgId, cycles }) => ({
    text: `select p.id, p.name as pool, c.started_at, c.ends_at,
         (select count(distinct sim_id)::int from pool_members
          where pool_id = p.id and enrolled_at < c.ends_at and coalesce(left_at, 'infinity') > c.started_at) as sims,
         (select greatest(coalesce(sum(bytes), 0), 0)::bigint from pool_terms
          where pool_id = p.id and from_at <= c.started_at and coalesce(until_at, 'infinity') > c.started_at) as "limit",
         (select coalesce(sum(used_bytes), 0)::bigint from pool_counters
          where pool_id = p.id and cycle_started_at = c.started_at) as used,
         (select count(*)::int from pool_events where pool_id = p.id and at >= c.started_at and at < c.ends_at) as events
       from pools p join pool_cycles c on c.pool_id = p.id
       where p.org_id = $1 and c.ends_at > $2 and c.ends_at <= $3 order by p.name, p.id, c.started_at`,
    values: [orgId, cycles.from, cycles.until],
  }),
  cells: ({ pool, started_at, ends_at, sims, limit, used, events }, { time }) => [
    ...[pool, time(started_at), time(ends_at), sims, limit, used],
    percentOf(used, limit),
    ...[Math.max(0, used - limit), events],
  ],
  tally: () => {
    const all = new Map<number, { name: string; used: number; limit: number; isOver: boolean }>();
    const sum = (of: 'used' | 'limit') => [...all.values()].reduce((total, pool) => total + pool[of], 0);
    return {
      add: ({ id, pool, used, limit }) => {
        const known = all.get(id) ?? { used: 0, limit: 0, isOver: false };
        const isOver = known.isOver || used > limit;
        all.set(id, { name: pool, used: known.used + used, limit: known.limit + limit, isOver });
      },
      figures: () => [
        figure('pools', 'count', all.size),
        figure('limit', 'bytes', sum('limit')),
        figure('used', 'bytes', sum('used')),
        figure('over_limit', 'count', [...all.values()].filter(({ isOver }) => isOver).length),
      ],
      series: () =>
        series(
          'bytes',
          [...all.values()]
            .sort((a, b) => b.used - a.used)
            .slice(0, limits.reports.bars)
            .map(({ name, used, isOver }) => ({
              label: name,
              value: used,
              tone: isOver ? 'over' : 'plain',
            })),
        ),
    };
  },
};
