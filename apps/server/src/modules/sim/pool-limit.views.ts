/**
 * SQL for whether a shared pool's limit applies to a SIM (its rows `s` of `sims` and `l` of `sim_live`) instead of its
 * own: it is an active member and uses the pool's bundle. What it uses beyond its contribution is then no overage of the SIM.
 */
export const usesPoolLimit = `(l.pooled and coalesce((
  select p.bundle_id = s.bundle_id from pool_members m join pools p on p.id = m.pool_id
  where m.sim_id = l.sim_id and m.left_at is null and m.activated_at is not null), false))`;
