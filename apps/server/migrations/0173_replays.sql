-- A rule, or a draft of one, judged by what is stored of the last 30 days. A person has one at a time.
create table autoflow_replays (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  rule_id bigint references autoflow_rules (id) on delete cascade,
  -- What is judged, and for which SIMs: `Replayed` of the module.
  replayed jsonb not null,
  -- The same of the version that it is compared with.
  former jsonb,
  -- 0 waiting, 1 running, 2 done, 3 cancelled, 4 failed
  state smallint not null default 0 check (state between 0 and 4),
  asked_at timestamptz not null,
  -- The last 30 days, from the beginning of the first.
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  sims bigint not null default 0,
  sims_done bigint not null default 0,
  records bigint not null default 0,
  took_ms bigint,
  -- What was found until now, by day: `Tally` of the module.
  tally jsonb not null default '{}',
  former_tally jsonb,
  unique (org_id, user_id)
);
create index autoflow_replays_asked_idx on autoflow_replays (asked_at);

-- The latest firings of a replay, from 1 in the order in which they are shown.
create table autoflow_replay_firings (
  replay_id bigint not null references autoflow_replays (id) on delete cascade,
  number integer not null,
  sim_id bigint not null,
  happened_at timestamptz not null,
  -- What was compared with what: `measuredSchema` of the contract.
  measured jsonb not null,
  primary key (replay_id, number)
);
