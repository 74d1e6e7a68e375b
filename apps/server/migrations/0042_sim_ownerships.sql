-- Whose a SIM was before. What was recorded in such a time is shown to that organisation alone, and to nobody while the
-- SIM is another's. A SIM that never changed hands has no row.
create table sim_ownerships (
  sim_id bigint not null,
  -- From 0, in the order of time.
  number smallint not null,
  org_id bigint not null,
  since timestamptz not null,
  until timestamptz not null,
  primary key (sim_id, number)
);

-- The number of the ownership that lasts, and since when it does; null from the beginning.
alter table sims
  add column ownership smallint not null default 0,
  add column owned_since timestamptz;

-- Every ownership, those that last included.
create view sim_owners as
  select sim_id, number, org_id, since, until from sim_ownerships
  union all
  select id, ownership, org_id, coalesce(owned_since, '-infinity'), 'infinity' from sims;

-- Usage by hour and day does not say whose it is. A SIM changes hands within an hour and a day: this is what was counted
-- of them until then.
create table usage_handovers (
  sim_id bigint not null,
  -- The ownership that ended.
  number smallint not null,
  unit text not null check (unit in ('hour', 'day')),
  starts_at timestamptz not null,
  plmn integer not null,
  radio smallint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  primary key (sim_id, number, unit, plmn, radio)
);

-- Usage of SIMs by whose it is: whole hours and days within an ownership, then what was counted of those in which it
-- ended, less what was counted of those in which it began. An hour and a day may be in more than one row.
create view own_usage_hourly as
  select o.sim_id, o.org_id, u.hour_at, u.plmn, u.radio, u.up_bytes, u.down_bytes
  from sim_owners o join sim_usage_hourly u on u.sim_id = o.sim_id
    and u.hour_at >= date_trunc('hour', o.since, 'UTC') and u.hour_at < date_trunc('hour', o.until, 'UTC')
  union all
  select o.sim_id, o.org_id, h.starts_at, h.plmn, h.radio,
    h.up_bytes * (case when h.number = o.number then 1 else -1 end),
    h.down_bytes * (case when h.number = o.number then 1 else -1 end)
  from sim_owners o join usage_handovers h on h.sim_id = o.sim_id and h.number in (o.number, o.number - 1)
  where h.unit = 'hour';

create view own_usage_daily as
  select o.sim_id, o.org_id, u.day_on, u.plmn, u.radio, u.up_bytes, u.down_bytes
  from sim_owners o join sim_usage_daily u on u.sim_id = o.sim_id
    and u.day_on >= (o.since at time zone 'UTC')::date and u.day_on < (o.until at time zone 'UTC')::date
  union all
  select o.sim_id, o.org_id, (h.starts_at at time zone 'UTC')::date, h.plmn, h.radio,
    h.up_bytes * (case when h.number = o.number then 1 else -1 end),
    h.down_bytes * (case when h.number = o.number then 1 else -1 end)
  from sim_owners o join usage_handovers h on h.sim_id = o.sim_id and h.number in (o.number, o.number - 1)
  where h.unit = 'day';

-- An order that was over when its SIM was transferred stays with the former owner, and is in nobody's list while the SIM
-- is another's.
alter table bundle_orders
  alter column org_id drop not null,
  add column former_org_id bigint,
  add check (num_nonnulls(org_id, former_org_id) = 1);

-- The transfers there were until now, as the events of SIMs tell them.
insert into sim_ownerships (sim_id, number, org_id, since, until)
select e.sim_id, row_number() over past - 1, e.org_id, coalesce(lag(e.at) over past, '-infinity'), e.at
from sim_events e join organisations o on o.id = e.org_id and o.code = e.facts ->> 'from'
where e.kind = 'transferred'
window past as (partition by e.sim_id order by e.at, e.id);

update sims s set ownership = past.number + 1, owned_since = past.until
from (select distinct on (sim_id) sim_id, number, until from sim_ownerships order by sim_id, number desc) as past
where s.id = past.sim_id;

insert into usage_handovers (sim_id, number, unit, starts_at, plmn, radio, up_bytes, down_bytes)
select past.sim_id, past.number, part.unit, date_trunc(part.unit, past.until, 'UTC'), c.plmn, c.radio,
  sum(c.up_bytes), sum(c.down_bytes)
from sim_ownerships past cross join (values ('hour'), ('day')) as part (unit)
join cdrs c on c.sim_id = past.sim_id and c.ended_at >= date_trunc(part.unit, past.until, 'UTC')
  and c.ended_at < past.until
group by 1, 2, 3, 4, 5, 6;

update bundle_orders o set org_id = null, former_org_id = past.org_id
from sim_ownerships past, sims s
where past.sim_id = o.sim_id and s.id = o.sim_id and past.org_id <> s.org_id
  and o.status in ('expired', 'cancelled') and o.expires_at >= past.since and o.expires_at < past.until;
