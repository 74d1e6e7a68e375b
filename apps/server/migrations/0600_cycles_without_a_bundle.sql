-- What a SIM used after its last order had ended was counted in a calendar month that began before that end: the month's bill would
-- take it for another cycle of the order. It begins with the end now. What is billed stays as it is.
with ended as (
  select o.sim_id, max(o.expires_at) as at
  from sims s join bundle_orders o on o.sim_id = s.id join bundles b on b.id = o.bundle_id
  where s.bundle_id is null and o.status = 'expired' and b.type <> 'prepaid supplementary' group by 1)
update sim_live l set cycle_started_at = e.at from ended e
where l.sim_id = e.sim_id and l.cycle_started_at < e.at and l.cycle_ends_at > e.at;

-- The same of those that the next order has closed: the order's own cycle lies within.
with around as (
  select c.sim_id, c.cycle_started_at, max(f.cycle_ends_at) as at
  from usage_cycles c join usage_cycles f on f.sim_id = c.sim_id
    and f.cycle_started_at > c.cycle_started_at and f.cycle_ends_at < c.cycle_ends_at
  where c.limit_bytes is null and not exists (
    select from bill_cycles k where k.sim_id = c.sim_id and k.cycle_started_at = c.cycle_started_at)
  group by 1, 2)
update usage_cycles c set cycle_started_at = a.at from around a
where c.sim_id = a.sim_id and c.cycle_started_at = a.cycle_started_at;
