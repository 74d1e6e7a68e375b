-- Lists are sorted by the last session. SIMs that never had one come before all that had: a key without nulls, which in the
-- index takes the place of the time that it is made from, so that no record costs an entry more.
alter table sim_live add column last_session_key timestamptz not null
  generated always as (coalesce(last_session_at, '-infinity')) stored;

drop index sim_live_org_connection_idx;
create index sim_live_org_connection_idx on sim_live (org_id, connection, last_session_key, sim_id);
