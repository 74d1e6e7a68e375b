-- Work on many SIMs, a row each: what is to be done, what was, and why not.
alter table tasks
  -- What the work needs to know, by type; and who ordered it, for the SIMs' events.
  add column parameters jsonb not null default '{}',
  add column actor text,
  add column trace_id text,
  -- Times that the work broke off; from the second on it goes SIM by SIM, to find the one that breaks it.
  add column failures integer not null default 0,
  add column report_name text,
  add column report_bytes bigint;

create table task_items (
  task_id bigint not null references tasks (id) on delete cascade,
  position integer not null,
  -- None when there is no such SIM.
  sim_id bigint,
  iccid text not null,
  -- 0 waiting, 1 done, 2 refused
  state smallint not null default 0 check (state in (0, 1, 2)),
  -- Of the error catalogue, when refused.
  code text,
  -- What is wanted of this SIM alone, such as a row of an upload.
  input jsonb,
  primary key (task_id, position)
);

-- Two operations on one SIM never overlap: a SIM waits in one task at most.
create unique index task_items_busy_key on task_items (sim_id) where state = 0 and sim_id is not null;
create index task_items_waiting_idx on task_items (task_id, position) where state = 0;

-- The file that a task made, in parts.
create table task_files (
  task_id bigint not null references tasks (id) on delete cascade,
  part integer not null,
  content bytea not null,
  primary key (task_id, part)
);
alter table task_files alter column content set storage external;

create table download_tokens (
  token_hash bytea primary key,
  task_id bigint not null references tasks (id) on delete cascade,
  format text not null check (format in ('csv', 'xlsx')),
  expires_at timestamptz not null
);
create index download_tokens_expires_idx on download_tokens (expires_at);

-- Files that were read and wait to be applied.
create table uploads (
  id uuid primary key default gen_random_uuid(),
  org_id bigint not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in ('transfer', 'info')),
  name text not null,
  -- Rows as they were read and found good: [{ iccid, … }].
  rows jsonb not null,
  facts jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index uploads_expires_idx on uploads (expires_at);

create table saved_views (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  filter jsonb not null,
  created_at timestamptz not null default now()
);
create unique index saved_views_name_key on saved_views (org_id, user_id, lower(name));

-- Reports that were shared, by the SHA-256 of their id.
create table diagnose_links (
  id_hash bytea primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  sim_id bigint not null,
  report jsonb not null,
  expires_at timestamptz not null
);
create index diagnose_links_expires_idx on diagnose_links (expires_at);

-- People and phones that are told things together.
create table address_groups (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  kind text not null check (kind in ('email', 'sms')),
  name text not null,
  addresses text[] not null,
  created_at timestamptz not null default now()
);
create unique index address_groups_name_key on address_groups (org_id, kind, lower(name));

alter table bundles
  -- Where it is valid; everywhere when empty.
  add column coverage_countries text[] not null default '{}',
  -- "Billing and threshold": size of a block. "Billing then stop after": so much over the quota.
  add column threshold_bytes bigint check (threshold_bytes > 0),
  add column stop_after_bytes bigint check (stop_after_bytes > 0);

-- Days between expiry and termination; the installation's when null.
alter table organisations add column grace_days integer check (grace_days >= 0);

-- For the jobs of the lifecycle: who is due.
create index sims_pre_activation_due_idx on sims (pre_activation_ends_at) where lifecycle = 10;
create index sims_expired_idx on sims (lifecycle_changed_at) where lifecycle = 40;
alter table sims add column imei_changed_at timestamptz;

-- Where cells stand, as the operator told.
create table cells (
  cell text primary key,
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  name text
);
