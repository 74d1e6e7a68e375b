import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { PooledCycle, UsageDifference } from '../../usage/index.ts';
import { shard } from '../cycles/counting.queries.ts';

const figures = ['up', 'down', 'records'] as const;
const zero = (column: string): string => `coalesce(${column}, 0)`;
const allOf = (row: string): string => `(${figures.map((figure) => zero(`${row}.${figure}`)).join(', ')})`;

/*
 * Differences between records and stored figures in one cycle. One statement, and so one moment of the database; the
 * difference does not depend on the moment, because records are counted in their transaction. A record counts for the
 * pool in which its SIM was an active member when it ended. A member or an hour without records has no row, or one
 * with zero.
 */
const comparison = `
  recorded as materialized (
    select m.sim_id, date_trunc('hour', r.ended_at, 'UTC') as hour_at, sum(r.up_bytes) as up, sum(r.down_bytes) as down,
      count(*) as records
    from pool_members m join cdrs r on r.sim_id = m.sim_id and r.ended_at >= greatest(m.activated_at, $2::timestamptz)
      and r.ended_at < least(m.left_at, $3::timestamptz)
    where m.pool_id = $1 and m.activated_at is not null group by 1, 2),
  members as (
    select sim_id, ${zero('r.bytes')} as recorded, ${zero('s.used_bytes')} as stored
    from (select sim_id, sum(up + down) as bytes from recorded group by 1) as r
    full join (
      select sim_id, used_bytes from pool_usage where pool_id = $1 and cycle_started_at = $2) as s using (sim_id)
    where ${zero('r.bytes')} <> ${zero('s.used_bytes')}),
  hours as (
    select hour_at, ${zero('r.up')} + ${zero('r.down')} as recorded, ${zero('s.up')} + ${zero('s.down')} as stored,
      ${figures.map((figure) => `${zero(`r.${figure}`)} - ${zero(`s.${figure}`)} as ${figure}`).join(', ')}
    from (select hour_at, sum(up) as up, sum(down) as down, sum(records) as records from recorded group by 1) as r
    full join (
      select hour_at, sum(up_bytes) as up, sum(down_bytes) as down, sum(records) as records from pool_usage_hourly
      where pool_id = $1 and hour_at >= $2 and hour_at < $3 group by 1) as s using (hour_at)
    where ${allOf('r')} is distinct from ${allOf('s')}),
  counters as (
    select r.bytes as recorded, s.bytes as stored
    from (select coalesce(sum(up + down), 0) as bytes from recorded) as r,
      (select coalesce(sum(used_bytes), 0) as bytes from pool_counters where pool_id = $1 and cycle_started_at = $2) as s
    where r.bytes <> s.bytes)`;

const differences = `
  select o.code as organisation, p.name as pool,
    to_char($2::timestamptz at time zone make_interval(mins => $4), 'YYYY-MM-DD') as cycle,
    d.what, d.differing, d.recorded::text as "recordedBytes", d.stored::text as "storedBytes"
  from (
    ${['counters', 'hours', 'members']
      .map(
        (what) =>
          `select '${what}' as what, count(*)::int as differing, sum(recorded) as recorded, sum(stored) as stored from ${what}`,
      )
      .join(' union all ')}) as d
  join pools p on p.id = $1 join organisations o on o.id = p.org_id where d.differing > 0 order by d.what`;

/*
 * In the order in which records are counted. Differences are added to the current rows, so that concurrent counting
 * is not lost.
 */
const corrections = `
  right_members as (
    insert into pool_usage as t (pool_id, cycle_started_at, sim_id, used_bytes)
    select $1, $2, sim_id, recorded - stored from members order by 3
    on conflict (pool_id, cycle_started_at, sim_id) do update set used_bytes = t.used_bytes + excluded.used_bytes),
  right_hours as (
    insert into pool_usage_hourly as t (pool_id, hour_at, shard, up_bytes, down_bytes, records)
    select $1, hour_at, ${shard}, up, down, records from hours order by 2
    on conflict (pool_id, hour_at, shard) do update set up_bytes = t.up_bytes + excluded.up_bytes,
      down_bytes = t.down_bytes + excluded.down_bytes, records = t.records + excluded.records),
  right_counters as (
    insert into pool_counters as t (pool_id, cycle_started_at, shard, used_bytes, crossed)
    select $1, $2, ${shard}, recorded - stored, false from counters
    on conflict (pool_id, cycle_started_at, shard) do update set used_bytes = t.used_bytes + excluded.used_bytes)`;

const ofCycle = ({ poolId, from, until }: PooledCycle) => [poolId, from, until, dashboardDays.offsetMinutes];

export const comparePooledCycle = async (sql: Sql, cycle: PooledCycle): Promise<UsageDifference[]> =>
  (await sql.query<UsageDifference>(`with ${comparison} ${differences}`, ofCycle(cycle))).rows;

/** Makes members, hours and counter of a cycle match the CDRs; returns what differed. */
export const correctPooledCycle = async (tx: Sql, cycle: PooledCycle): Promise<UsageDifference[]> =>
  (await tx.query<UsageDifference>(`with ${comparison}, ${corrections} ${differences}`, ofCycle(cycle))).rows;

/** The cycles of all pools that begin between two instants. */
export const listPooledCycles = async (
  sql: Sql,
  { from, until }: { from: Date; until: Date },
): Promise<PooledCycle[]> =>
  (
    await sql.query<PooledCycle>(
      `select pool_id as "poolId", started_at as from, ends_at as until from pool_cycles
       where started_at >= $1 and started_at <= $2 order by pool_id, started_at`,
      [from, until],
    )
  ).rows;
