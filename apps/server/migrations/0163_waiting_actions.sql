-- For the job that sends what rules gather.
create index autoflow_firing_actions_waiting_idx on autoflow_firing_actions (firing_id) where state = 0;
