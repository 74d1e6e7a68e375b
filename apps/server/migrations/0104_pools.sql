-- Shared pools. The limit of a pool in a cycle is the sum of its terms; its usage is counted by hour, by member and by
-- counter in the transaction of the records. Counters are in shards, so that no row is common to all batches.
create table pools (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id),
  bundle_id bigint not null references bundles (id),
  name text not null,
  policy text not null check (policy in ('no limit', 'stop overage SIMs')),
  opt_in text not null check (opt_in in ('automatic', 'manual')),
  activation_rule text not null check (activation_rule in ('standard', 'pro-rata')),
  created_at timestamptz not null
);
create unique index pools_name_idx on pools (org_id, folded(name));
create unique index pools_automatic_idx on pools (org_id, bundle_id) where opt_in = 'automatic';

-- Made far ahead: a record finds the cycle that it belongs to. `launched_at` is when the turn was noted, `over_at` since
-- when the pool has used up its limit.
create table pool_cycles (
  pool_id bigint not null references pools (id),
  started_at timestamptz not null,
  ends_at timestamptz not null,
  launched_at timestamptz,
  over_at timestamptz,
  primary key (pool_id, started_at)
);

-- A record counts for the pool that the SIM was in when it ended.
create table pool_members (
  id bigint generated always as identity primary key,
  pool_id bigint not null references pools (id),
  sim_id bigint not null references sims (id),
  enrolled_at timestamptz not null,
  activated_at timestamptz,
  left_at timestamptz check (left_at >= enrolled_at)
);
create unique index pool_members_current_idx on pool_members (sim_id) where left_at is null;
create index pool_members_sim_idx on pool_members (sim_id, enrolled_at);
create index pool_members_pool_idx on pool_members (pool_id, sim_id);

-- What the limit is made of: in all cycles that begin from `from_at` up to `until_at`.
create table pool_terms (
  id bigint generated always as identity primary key,
  pool_id bigint not null references pools (id),
  sim_id bigint references sims (id),
  kind text not null check (kind in ('standard', 'pro-rata', 'increase', 'decrease')),
  bytes bigint not null,
  from_at timestamptz not null,
  until_at timestamptz,
  created_at timestamptz not null,
  check ((sim_id is null) = (kind in ('increase', 'decrease')))
);
create index pool_terms_pool_idx on pool_terms (pool_id, sim_id);

create table pool_usage (
  pool_id bigint not null,
  cycle_started_at timestamptz not null,
  sim_id bigint not null,
  used_bytes bigint not null,
  primary key (pool_id, cycle_started_at, sim_id)
) with (fillfactor = 80);

create table pool_usage_hourly (
  pool_id bigint not null,
  hour_at timestamptz not null,
  shard smallint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  records bigint not null,
  primary key (pool_id, hour_at, shard)
) with (fillfactor = 50);

-- `wake_bytes`: the usage of the shard at which the limit has to be looked at; null while that is under way. `stops`: the
-- pool is over its limit, and members over their own contribution are stopped.
create table pool_counters (
  pool_id bigint not null,
  cycle_started_at timestamptz not null,
  shard smallint not null,
  used_bytes bigint not null,
  wake_bytes bigint,
  crossed boolean not null,
  stops boolean not null default false,
  primary key (pool_id, cycle_started_at, shard)
) with (fillfactor = 50);

create table pool_events (
  id bigint generated always as identity primary key,
  pool_id bigint not null references pools (id),
  at timestamptz not null,
  kind text not null,
  limit_before_bytes bigint not null,
  limit_after_bytes bigint not null,
  used_bytes bigint not null,
  sims integer not null,
  actor text,
  task text,
  facts jsonb not null
);
create index pool_events_pool_idx on pool_events (pool_id, id);

create table pool_activity (
  id bigint generated always as identity primary key,
  pool_id bigint not null references pools (id),
  sim_id bigint not null references sims (id),
  at timestamptz not null,
  kind text not null,
  actor text,
  task text
);
create index pool_activity_pool_idx on pool_activity (pool_id, id);

-- `pooled`: the SIM is or was in a pool, so that its records are counted there as well.
alter table sim_live
  add column pooled boolean not null default false,
  add column pool_stopped_until timestamptz;
