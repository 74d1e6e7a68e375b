-- What records of an hour, a day (UTC) or eight days of an organisation add up to by SIM, packed: sums by SIM read a few of
-- these rows instead of all records or a row of each SIM and day.
create table cdr_sim_counts (
  org_id bigint not null,
  unit text not null check (unit in ('hour', 'day', 'days')),
  starts_at timestamptz not null,
  packed bytea not null,
  primary key (org_id, unit, starts_at)
);
-- Packed already.
alter table cdr_sim_counts alter packed set storage external;
-- All hours are computed again.
delete from cdr_hours;
