-- What is true of a SIM right now: one row a SIM, made with it. Everything that each accounting record
-- touches is here, and no column that each record changes is indexed, so that the updates stay heap-only.
create table sim_live (
  sim_id bigint primary key,
  org_id bigint not null,
  -- 0 unknown, 1 online, 2 connected, 3 offline; changed by intake and, as time passes, by a sweep
  connection smallint not null default 0,
  connection_since timestamptz,
  last_seen_at timestamptz,
  last_session_at timestamptz,
  ip inet,
  plmn integer,
  radio smallint,
  imei text,
  cycle_started_at timestamptz,
  cycle_ends_at timestamptz,
  used_bytes bigint not null default 0,
  limit_bytes bigint,
  -- The lowest usage at which anything at all happens to the SIM; intake compares this one number.
  threshold_bytes bigint,
  over_limit boolean not null default false,
  -- 0 open, 1 slowed, 2 stopped
  data_state smallint not null default 0,
  rate_kbps integer,
  -- Whole percent of the limit used, so that lists find SIMs by usage with an index that seldom changes: an
  -- update that stays within its percent is still heap-only.
  usage_percent smallint generated always as
    (case when limit_bytes > 0 then least(used_bytes * 100 / limit_bytes, 10000)::smallint end) stored
) with (fillfactor = 60);

create index sim_live_org_connection_idx on sim_live (org_id, connection, sim_id);
create index sim_live_over_limit_idx on sim_live (org_id, sim_id) where over_limit;
-- With the connection, which is filtered together with it and is in an index of its own anyway.
create index sim_live_usage_percent_idx on sim_live (org_id, usage_percent, sim_id) include (connection)
  where usage_percent > 0;
-- For the job that turns the cycles of silent SIMs; a cycle's end changes once a cycle.
create index sim_live_cycle_idx on sim_live (cycle_ends_at) where cycle_ends_at is not null;

-- Rated usage records: the usage between two accounting updates, or one row of a file.
create table cdrs (
  sim_id bigint not null,
  ended_at timestamptz not null,
  -- 53-bit hash of what makes the record itself: session and cumulative volume, or the file's record id
  dedupe_key bigint not null,
  started_at timestamptz not null,
  org_id bigint not null,
  plmn integer not null default 0,
  up_bytes bigint not null,
  down_bytes bigint not null,
  session_key bigint,
  radio smallint not null default 0,
  -- 1 RADIUS, 2 file
  source smallint not null,
  apn text,
  cell text,
  primary key (sim_id, ended_at, dedupe_key)
) partition by range (ended_at);

-- Rollups, kept in the transaction of the records. Hours and days of a SIM are UTC+0.
create table usage_hourly (
  sim_id bigint not null,
  hour_at timestamptz not null,
  plmn integer not null,
  radio smallint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  records integer not null,
  primary key (sim_id, hour_at, plmn, radio)
) partition by range (hour_at);

create table usage_daily (
  sim_id bigint not null,
  day_on date not null,
  plmn integer not null,
  radio smallint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  records integer not null,
  primary key (sim_id, day_on, plmn, radio)
) partition by range (day_on);

-- By organisation; the days of an organisation are cut at 23:59 UTC+8 (dashboard).
create table org_usage_hourly (
  org_id bigint not null,
  hour_at timestamptz not null,
  plmn integer not null,
  radio smallint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  records bigint not null,
  primary key (org_id, hour_at, plmn, radio)
) with (fillfactor = 60);

-- Which organisations had usage lately.
create index org_usage_hourly_hour_idx on org_usage_hourly (hour_at);

create table org_usage_daily (
  org_id bigint not null,
  day_on date not null,
  plmn integer not null,
  radio smallint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  records bigint not null,
  primary key (org_id, day_on, plmn, radio)
) with (fillfactor = 60);

-- Closed cycles; a late record is added to the one it belongs to.
create table usage_cycles (
  sim_id bigint not null,
  cycle_started_at timestamptz not null,
  cycle_ends_at timestamptz not null,
  used_bytes bigint not null,
  limit_bytes bigint,
  primary key (sim_id, cycle_started_at)
);

-- One row a day and organisation, for trends and comparisons on the dashboard.
create table org_daily_figures (
  org_id bigint not null references organisations (id),
  day_on date not null,
  total_sims bigint not null,
  active_sims bigint not null,
  overage_sims bigint not null,
  expiring_sims bigint not null,
  primary key (org_id, day_on)
);

-- The SIMs with the most usage in their cycle, refreshed by a job.
create table org_usage_rank (
  org_id bigint not null references organisations (id),
  position smallint not null,
  sim_id bigint not null,
  used_bytes bigint not null,
  as_of timestamptz not null,
  primary key (org_id, position)
);

-- Files taken in: what was read, how far, and what was refused. A file is known by the hash of its content.
create table cdr_files (
  id bigint generated always as identity primary key,
  content_hash bytea not null unique,
  name text not null,
  size_bytes bigint not null,
  done_bytes bigint not null default 0,
  done_lines bigint not null default 0,
  accepted bigint not null default 0,
  duplicate bigint not null default 0,
  refused bigint not null default 0,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);

create table cdr_file_refusals (
  file_id bigint not null references cdr_files (id) on delete cascade,
  line bigint not null,
  reason text not null,
  primary key (file_id, line)
);
