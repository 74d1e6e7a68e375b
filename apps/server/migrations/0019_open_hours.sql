-- The hour in which a SIM is using volume stays with its live state, which each record writes anyway, and goes to the
-- rollups when the next one begins: a SIM that reports every few minutes writes them once an hour instead of each time.
-- Nothing here is indexed, so the updates stay heap-only.
alter table sim_live
  add column open_hour_at timestamptz,
  add column open_plmn integer,
  add column open_radio smallint,
  add column open_up_bytes bigint,
  add column open_down_bytes bigint,
  add column open_records integer;

-- What is asked for usage by SIM: the rollups with the open hours. An hour and a day may be in more than one row.
create view sim_usage_hourly as
  select sim_id, hour_at, plmn, radio, up_bytes, down_bytes, records from usage_hourly
  union all
  select sim_id, open_hour_at, open_plmn, open_radio, open_up_bytes, open_down_bytes, open_records
  from sim_live where open_hour_at is not null;

create view sim_usage_daily as
  select sim_id, day_on, plmn, radio, up_bytes, down_bytes, records from usage_daily
  union all
  select sim_id, (open_hour_at at time zone 'UTC')::date, open_plmn, open_radio, open_up_bytes, open_down_bytes,
    open_records
  from sim_live where open_hour_at is not null;
