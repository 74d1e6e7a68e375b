-- Those of the SIMs that were there before. In a transaction of its own: the lock that makes triggers is over, and live state is
-- written meanwhile, by the triggers also here.
insert into sim_live_keys (sim_id, org_id, cost_micros, cycle_ends_at)
select sim_id, org_id, cost_micros, cycle_ends_at from sim_live order by sim_id
on conflict do nothing;
analyze sim_live_keys;
