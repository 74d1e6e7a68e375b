-- Since when nothing was heard of a SIM without a session. Null while it has one, so that its records stay heap-only: the index
-- is written when a session begins or ends, which writes to all of them anyway.
alter table sim_live add column silent_since timestamptz
  generated always as (case when connection = 1 then null else last_seen_at end) stored;
create index sim_live_silent_idx on sim_live (org_id, silent_since, sim_id) where silent_since is not null;
