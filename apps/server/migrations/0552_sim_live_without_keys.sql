-- Known by `sim_live_keys`.
drop index sim_live_cost_idx;
drop index sim_live_cycle_idx;
