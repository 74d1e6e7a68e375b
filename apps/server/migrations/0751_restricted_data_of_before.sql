-- Of the SIMs that were restricted before. In a transaction of its own: the lock that replaces the trigger is over.
update sim_live_keys k set
  stopped_until = data_stopped_until(l.data_state, l.cycle_ends_at, l.pool_stopped_until, l.held_until, l.held_kbps),
  slowed_until = data_slowed_until(l.data_state, l.rate_kbps, l.cycle_ends_at, l.held_until, l.held_kbps)
from (select * from sim_live
  where data_state <> 0 or pool_stopped_until is not null or held_until is not null order by sim_id for update) as l
where k.sim_id = l.sim_id;

analyze sim_live_keys;
