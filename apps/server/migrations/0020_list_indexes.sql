-- What lists are filtered by alone and had no index. Live state is written with each accounting record: a column
-- indexed here keeps its value while a session goes on, so updates stay heap-only, and where an index was there
-- already it is made wider rather than joined by another, as each costs every Start and Stop an entry.

-- In which of eight parts of its octave an amount of bytes lies: an eleventh more changes it, a record hardly ever.
-- Amounts below 256 kB are step 0, which is not listed: a SIM costs nothing here while it uses next to nothing.
-- Monotone, but for the last bit of the logarithm.
create function usage_step(bytes bigint) returns smallint language sql immutable parallel safe
as $$ select case when bytes < 262144 then 0 else 1 + floor(ln(bytes::float8 / 262144) / ln(2::float8) * 8) end::smallint $$;

alter table sim_live add column usage_step smallint not null generated always as (usage_step(used_bytes)) stored;

create index sim_live_usage_step_idx on sim_live (org_id, usage_step, sim_id) where usage_step > 0;

-- The last session began when the connection changed: one entry for both.
drop index sim_live_org_connection_idx;
create index sim_live_org_connection_idx on sim_live (org_id, connection, last_session_at, sim_id);

drop index sim_live_network_idx;
create index sim_live_network_idx on sim_live (org_id, plmn, radio, sim_id);

create index sim_live_ip_idx on sim_live (org_id, ip, sim_id) where ip is not null;

-- Which of the fields that have no index of their own are filled in: 1 MSISDN, 2 IMEI, 4 notes, 8 tags, 16 a fixed
-- address. Lists ask for any of them, filled or empty.
alter table sims add column filled smallint not null generated always as (
  ((msisdn is not null)::integer + 2 * (last_imei is not null)::integer + 4 * (notes is not null)::integer
    + 8 * (tags <> '{}')::integer + 16 * (fixed_ip is not null)::integer)::smallint) stored;

create index sims_org_filled_idx on sims (org_id, filled, id);
