-- Runs of rules whose notifications were given up, or wait, are found from those few deliveries.
create index autoflow_firing_actions_notification_idx on autoflow_firing_actions (notification_id)
  where notification_id is not null;
create index deliveries_given_up_idx on deliveries (org_id, created_at) where state = 2;
