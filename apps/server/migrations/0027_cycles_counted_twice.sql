-- Late records from before the activation had opened a second cycle with the dates of the running one: what was counted
-- there belongs to the counter.
with twins as (
  delete from usage_cycles c using sim_live l
  where l.sim_id = c.sim_id and l.cycle_started_at = c.cycle_started_at and l.cycle_ends_at = c.cycle_ends_at
  returning c.sim_id, c.used_bytes)
update sim_live l set used_bytes = l.used_bytes + t.used_bytes from twins t where l.sim_id = t.sim_id;

-- Cycles that late usage had opened are without a limit: while the bundle in use today was in use, it was its quota.
update usage_cycles c set limit_bytes = b.quota_bytes
from sims s join bundles b on b.id = s.bundle_id
  join bundle_orders o on o.sim_id = s.id and o.bundle_id = b.id and o.status = 'in use'
where c.sim_id = s.id and c.limit_bytes is null and b.quota_bytes is not null and c.cycle_ends_at > o.activated_at;
