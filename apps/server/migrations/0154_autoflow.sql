-- Rules that notify, or change SIMs, when something happens (specification, section 3: Autoflow rule).
create table autoflow_rules (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  name text not null,
  -- The newest of its versions, and what that one waits for.
  version integer not null default 1,
  kind text not null,
  enabled boolean not null,
  -- Since when it judges; null: it is disabled.
  armed_at timestamptz,
  active_from timestamptz,
  active_until timestamptz,
  -- Who saved or enabled it last: its actions are done in that name.
  owner_id uuid references users (id) on delete set null,
  created_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Change records and run history outlive it.
  removed_at timestamptz,
  check (enabled = (armed_at is not null)),
  check (removed_at is null or not enabled)
);
create unique index autoflow_rules_name_key on autoflow_rules (org_id, folded(name)) where removed_at is null;
create index autoflow_rules_list_idx on autoflow_rules (org_id, id) where removed_at is null;
create index autoflow_rules_armed_idx on autoflow_rules (org_id, kind) where enabled;

-- SIMs of a fixed list, or SIMs with the IMEIs that are allowed in them. A version names it, so it is never changed.
create table autoflow_lists (
  id bigint generated always as identity primary key,
  rule_id bigint not null references autoflow_rules (id) on delete cascade,
  -- Of its file; null: ICCIDs were typed.
  name text,
  digest text,
  created_at timestamptz not null,
  check ((name is null) = (digest is null))
);
create index autoflow_lists_rule_idx on autoflow_lists (rule_id);

create table autoflow_list_sims (
  list_id bigint not null references autoflow_lists (id) on delete cascade,
  sim_id bigint not null,
  -- Empty in a list of SIMs alone.
  imei text not null default '',
  primary key (list_id, sim_id, imei)
);
create index autoflow_list_sims_sim_idx on autoflow_list_sims (sim_id);

-- What a rule was from one change to the next.
create table autoflow_rule_versions (
  rule_id bigint not null references autoflow_rules (id) on delete cascade,
  version integer not null,
  -- Trigger, scope, actions, times: `ruleDefinitionSchema` of the contract.
  definition jsonb not null,
  created_at timestamptz not null,
  primary key (rule_id, version)
);

create table autoflow_templates (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  name text not null,
  texts jsonb not null,
  updated_at timestamptz not null
);
create unique index autoflow_templates_name_key on autoflow_templates (org_id, folded(name));

-- Each firing of a rule: once for a SIM and a period or a change, which the key names.
create table autoflow_firings (
  id bigint generated always as identity,
  org_id bigint not null,
  rule_id bigint not null,
  version integer not null,
  sim_id bigint not null,
  key text not null,
  happened_at timestamptz not null,
  fired_at timestamptz not null,
  -- What was compared with what: `measuredSchema` of the contract.
  measured jsonb not null,
  -- Ids of the rules whose operations led to it, the first one first: three steps at most.
  chain bigint[] not null default '{}' check (cardinality(chain) <= 3),
  -- 0 waiting, 1 done, 2 failed; of its actions together
  state smallint not null default 0 check (state in (0, 1, 2)),
  -- The run history's days, or the end of the period that it fires once in, whichever is later.
  kept_until timestamptz not null,
  primary key (id),
  unique (rule_id, sim_id, key)
);
create index autoflow_firings_rule_idx on autoflow_firings (rule_id, fired_at desc, id desc);
create index autoflow_firings_org_idx on autoflow_firings (org_id, fired_at desc, id desc);
create index autoflow_firings_kept_idx on autoflow_firings (kept_until);

-- The actions of a firing, each with tries of its own.
create table autoflow_firing_actions (
  firing_id bigint not null references autoflow_firings (id) on delete cascade,
  -- Its place among the actions of the version.
  position smallint not null,
  kind text not null,
  -- 0 waiting, 1 done, 2 failed
  state smallint not null default 0 check (state in (0, 1, 2)),
  -- Of the catalogue: why it failed.
  code text,
  tries smallint not null default 0,
  ended_at timestamptz,
  task text,
  notification_id uuid,
  primary key (firing_id, position),
  check ((state = 0) = (ended_at is null))
);

-- What a rule did on a day (UTC), counted as it happens.
create table autoflow_rule_days (
  rule_id bigint not null references autoflow_rules (id) on delete cascade,
  day date not null,
  firings bigint not null default 0,
  actions bigint not null default 0,
  failed bigint not null default 0,
  primary key (rule_id, day)
);

-- The change records of a rule.
create index audit_entries_autoflow_idx on audit_entries (org_id, subject_id, number) where subject_kind = 'autoflow';
