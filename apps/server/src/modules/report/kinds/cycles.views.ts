/**
 * SQL for what counted for shared pools of an ended cycle (`u` of `usage_cycles`): null if all of it did, because the
 * SIM was a member from the cycle's first day to its end. Otherwise by cycles of pools, which are those of their members' bundle.
 */
const pooledBytes = `case when not exists (
      select 1 from pool_members m where m.sim_id = u.sim_id and coalesce(m.left_at, 'infinity') >= u.cycle_ends_at
        and m.activated_at < u.cycle_started_at + least(interval '1 day', u.cycle_ends_at - u.cycle_started_at)) then (
      select least(coalesce(sum(p.used_bytes), 0), u.used_bytes)::bigint from pool_cycles c
      join pool_usage p on p.pool_id = c.pool_id and p.cycle_started_at = c.started_at and p.sim_id = u.sim_id
      where c.pool_id in (select pool_id from pool_members where sim_id = u.sim_id)
        and c.ends_at > u.cycle_started_at and c.ends_at <= u.cycle_ends_at) end`;

/**
 * Cycles of a SIM that ended in a span of time while it belonged to the organisation ($1), with the usage of its own
 * quota (null for cycles that counted entirely for a pool) and what is beyond it.
 */
export const endedCycles = ({ sim, from, until }: Record<'sim' | 'from' | 'until', string>): string => `
         select u.cycle_started_at, u.cycle_ends_at, u.used_bytes, u.limit_bytes, u.used_bytes - pooled.bytes as own_bytes,
           greatest(u.used_bytes - pooled.bytes - u.limit_bytes, 0) as over_bytes
         from usage_cycles u join sim_owners w on w.sim_id = u.sim_id and w.org_id = $1
           and u.cycle_ends_at > w.since and u.cycle_ends_at <= w.until
         cross join lateral (select ${pooledBytes} as bytes limit 1) as pooled
         where u.sim_id = ${sim} and u.cycle_ends_at > ${from} and u.cycle_ends_at <= ${until}`;
