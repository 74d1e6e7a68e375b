-- What SIMs used while they were an organisation's, with open hours joined by their key. Behind `where open_hour_at is not null`
-- of the views between, they were found by reading sim_live whole, once for each SIM that was asked for.
create or replace view own_usage_hourly as
  select o.sim_id, o.org_id, u.hour_at, u.plmn, u.radio, u.up_bytes, u.down_bytes
  from sim_owners o join usage_hourly u on u.sim_id = o.sim_id
    and u.hour_at >= date_trunc('hour', o.since, 'UTC') and u.hour_at < date_trunc('hour', o.until, 'UTC')
  union all
  select o.sim_id, o.org_id, l.open_hour_at, l.open_plmn, l.open_radio, l.open_up_bytes, l.open_down_bytes
  from sim_owners o join sim_live l on l.sim_id = o.sim_id
    and l.open_hour_at >= date_trunc('hour', o.since, 'UTC') and l.open_hour_at < date_trunc('hour', o.until, 'UTC')
  union all
  select o.sim_id, o.org_id, h.starts_at, h.plmn, h.radio,
    h.up_bytes * (case when h.number = o.number then 1 else -1 end),
    h.down_bytes * (case when h.number = o.number then 1 else -1 end)
  from sim_owners o join usage_handovers h on h.sim_id = o.sim_id and h.number in (o.number, o.number - 1)
  where h.unit = 'hour';

create or replace view own_usage_daily as
  select o.sim_id, o.org_id, u.day_on, u.plmn, u.radio, u.up_bytes, u.down_bytes
  from sim_owners o join usage_daily u on u.sim_id = o.sim_id
    and u.day_on >= (o.since at time zone 'UTC')::date and u.day_on < (o.until at time zone 'UTC')::date
  union all
  select o.sim_id, o.org_id, (l.open_hour_at at time zone 'UTC')::date, l.open_plmn, l.open_radio, l.open_up_bytes,
    l.open_down_bytes
  from sim_owners o join sim_live l on l.sim_id = o.sim_id
    and (l.open_hour_at at time zone 'UTC')::date >= (o.since at time zone 'UTC')::date
    and (l.open_hour_at at time zone 'UTC')::date < (o.until at time zone 'UTC')::date
  union all
  select o.sim_id, o.org_id, (h.starts_at at time zone 'UTC')::date, h.plmn, h.radio,
    h.up_bytes * (case when h.number = o.number then 1 else -1 end),
    h.down_bytes * (case when h.number = o.number then 1 else -1 end)
  from sim_owners o join usage_handovers h on h.sim_id = o.sim_id and h.number in (o.number, o.number - 1)
  where h.unit = 'day';
