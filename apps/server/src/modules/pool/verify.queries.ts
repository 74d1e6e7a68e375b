import type { Sql } from '../../platform/db/index.ts';

/** A cycle of a pool of which something does not say what the CDRs say. */
export interface PoolDifferenceFound {
  organisation: string;
  pool: string;
  /** The first day of the cycle, as text. */
  cycle: string;
  what: 'counter' | 'members' | 'hours';
  recorded: string;
  stored: string;
}

/*
 * One statement, and so one moment of the database. A record counts for the pool that the SIM was in when it ended. A pool
 * or a member without records in a cycle has no row, or one that says zero.
 */
const compare = `
  with cycles as (
    select pool_id, started_at, ends_at from pool_cycles where pool_id = $1 and started_at >= $2 and started_at <= $3),
  recorded as (
    select c.started_at, m.sim_id, sum(r.up_bytes + r.down_bytes) as bytes
    from cycles c join pool_members m on m.pool_id = c.pool_id
    join cdrs r on r.sim_id = m.sim_id and r.ended_at >= greatest(m.enrolled_at, c.started_at)
      and r.ended_at < least(coalesce(m.left_at, 'infinity'), c.ends_at)
    group by 1, 2),
  sums as (select started_at, sum(bytes) as bytes from recorded group by 1),
  stored as (
    select 'counter' as what, cycle_started_at as started_at, sum(used_bytes) as bytes from pool_counters
    where pool_id = $1 group by 2
    union all
    select 'members', cycle_started_at, sum(used_bytes) from pool_usage where pool_id = $1 group by 2
    union all
    select 'hours', c.started_at, sum(h.up_bytes + h.down_bytes) from cycles c join pool_usage_hourly h
      on h.pool_id = c.pool_id and h.hour_at >= c.started_at and h.hour_at < c.ends_at group by 2),
  wrong_members as (
    select started_at, sum(r.bytes) as recorded, sum(u.used_bytes) as stored
    from recorded r full join (
      select u.cycle_started_at as started_at, u.sim_id, u.used_bytes from pool_usage u
      join cycles c on c.started_at = u.cycle_started_at where u.pool_id = $1) as u using (started_at, sim_id)
    where coalesce(r.bytes, 0) <> coalesce(u.used_bytes, 0) group by 1),
  differences as (
    select w.what, c.started_at, coalesce(s.bytes, 0) as recorded, coalesce(t.bytes, 0) as stored
    from cycles c cross join (values ('counter'), ('hours')) as w (what)
    left join sums s using (started_at) left join stored t on t.started_at = c.started_at and t.what = w.what
    where coalesce(s.bytes, 0) <> coalesce(t.bytes, 0)
    union all
    select 'members', started_at, coalesce(recorded, 0), coalesce(stored, 0) from wrong_members)
  select o.code as organisation, p.name as pool, to_char(d.started_at at time zone interval '8 hours', 'YYYY-MM-DD') as cycle,
    d.what, d.recorded::text, d.stored::text
  from differences d join pools p on p.id = $1 join organisations o on o.id = p.org_id order by d.started_at, d.what`;

/** Cycles of a pool from one instant to another that differ from the CDRs. */
export const comparePoolUsage = async (
  sql: Sql,
  poolId: number,
  { from, until }: { from: Date; until: Date },
): Promise<PoolDifferenceFound[]> =>
  (await sql.query<PoolDifferenceFound>(compare, [poolId, from, until])).rows;

export const listPoolIds = async (sql: Sql): Promise<number[]> =>
  (await sql.query<{ id: number }>('select id from pools order by id')).rows.map(({ id }) => id);
