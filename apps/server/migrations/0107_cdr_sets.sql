-- What an hour or a day of an organisation adds up to: all of it, by network, by radio type, and by trait. With each the SIMs
-- (by id) and sessions (by number) as packed sets, so that those of several hours, networks and days are counted once each.
-- A row of bits for each 4,096 of them, as before, took more room than the records.
drop table cdr_members;
drop table cdr_sums;
-- All hours are computed again.
delete from cdr_hours;

create table cdr_counts (
  org_id bigint not null,
  unit text not null check (unit in ('hour', 'day')),
  level text not null check (level in ('all', 'network', 'radio', 'trait')),
  starts_at timestamptz not null,
  -- PLMN, radio type or trait; 0 of all.
  part integer not null,
  records bigint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  -- How many numbers the sets have.
  sims bigint not null,
  sessions bigint not null,
  sim_set bytea not null,
  session_set bytea not null,
  primary key (org_id, unit, level, starts_at, part)
);
-- Packed already.
alter table cdr_counts alter sim_set set storage external, alter session_set set storage external;
