-- What an organisation's records of an hour or a day (UTC) add up to, computed from them by a job: it computes an hour again
-- while the number of records that it was computed from differs from the one that intake keeps in org_usage_hourly.
create table cdr_hours (
  org_id bigint not null,
  hour_at timestamptz not null,
  records bigint not null,
  computed_at timestamptz not null,
  primary key (org_id, hour_at)
);

-- By what records are told apart, each combination once: network, radio type, source, and APN ('' for none).
create table cdr_traits (
  id integer generated always as identity primary key,
  org_id bigint not null,
  plmn integer not null,
  radio smallint not null,
  source smallint not null,
  apn text not null,
  unique (org_id, plmn, radio, source, apn)
);

-- Days are those of which cdr_hours has hours, the sums of these.
create table cdr_sums (
  org_id bigint not null,
  unit text not null check (unit in ('hour', 'day')),
  starts_at timestamptz not null,
  trait_id integer not null,
  records bigint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  primary key (org_id, unit, starts_at, trait_id)
);

-- Sessions of an organisation, counted from 0: a set of them is a string of bits.
create table cdr_sessions (
  org_id bigint not null,
  sim_id bigint not null,
  session_key bigint not null,
  number bigint not null,
  primary key (org_id, sim_id, session_key),
  unique (org_id, number)
);

-- Which SIMs (by id) and sessions (by number) there were, 4,096 numbers a row: SIMs and sessions of several hours, networks
-- or days are counted once each by what these have in common.
create table cdr_members (
  org_id bigint not null,
  unit text not null check (unit in ('hour', 'day')),
  starts_at timestamptz not null,
  trait_id integer not null,
  kind text not null check (kind in ('sim', 'session')),
  chunk bigint not null,
  members bit(4096) not null,
  primary key (org_id, unit, starts_at, trait_id, kind, chunk)
);
