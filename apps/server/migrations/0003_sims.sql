create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- What a search looks at: one field a line, each line begun by a line break, so that "starts a field" is a
-- substring too and no match runs over two fields. array_to_string is only "stable" because it may depend on
-- types' output settings; for text[] it is immutable.
create function sim_search_text(iccid text, imsi text, msisdn text, imei text, name text, notes text, tags text[])
returns text language sql immutable parallel safe
as $$ select lower(E'\n' || concat_ws(E'\n', iccid, imsi, msisdn, imei, name, notes, array_to_string(tags, E'\n'))) $$;

create table sims (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id),
  -- Byte order, so that one index serves prefixes and sorting.
  iccid text collate "C" not null unique,
  imsi text collate "C" not null unique,
  msisdn text collate "C" unique,
  last_imei text,
  device_name text,
  notes text,
  tags text[] not null default '{}',
  delivery_note_number text,
  shipment_on date,
  chip_grade text check (chip_grade in ('consumer', 'industrial', 'automotive')),
  technology text check (technology in ('OTA', 'OTA BIP', 'one IMSI', 'multi IMSI')),
  -- 10 pre-activated, 23 active, 30 paused, 40 expired, 50 terminated
  lifecycle smallint not null default 10 check (lifecycle in (10, 23, 30, 40, 50)),
  lifecycle_changed_at timestamptz not null default now(),
  pre_activation_ends_at timestamptz,
  activated_at timestamptz,
  -- End of the last bundle order; null while none has an end.
  expires_at timestamptz,
  apn text,
  fixed_ip inet,
  -- Basic bundle in use, kept here by the bundle module so that lists need no order look-up.
  bundle_id bigint,
  created_at timestamptz not null default now(),
  -- Sort keys without nulls, which a keyset cannot step over: unnamed devices and SIMs without an end come
  -- last, SIMs never activated first.
  name_key text collate "C" not null
    generated always as (coalesce(lower(device_name), U&'\+10FFFF')) stored,
  activated_key timestamptz not null generated always as (coalesce(activated_at, '-infinity')) stored,
  expires_key timestamptz not null generated always as (coalesce(expires_at, 'infinity')) stored,
  search_text text not null generated always as
    (sim_search_text(iccid, imsi, msisdn, last_imei, device_name, notes, tags)) stored
) with (fillfactor = 90);

create index sims_org_idx on sims (org_id, id) include (lifecycle);
create index sims_org_iccid_idx on sims (org_id, iccid, id) include (lifecycle);
create index sims_org_name_idx on sims (org_id, name_key, id) include (lifecycle);
create index sims_org_activated_idx on sims (org_id, activated_key, id) include (lifecycle);
create index sims_org_expires_idx on sims (org_id, expires_key, id) include (lifecycle);
-- With what is filtered together, so that the index alone tells who has both.
create index sims_org_lifecycle_idx on sims (org_id, lifecycle, id) include (bundle_id);
create index sims_org_bundle_idx on sims (org_id, bundle_id, id) include (lifecycle);
create index sims_org_tags_idx on sims using gin (org_id, tags);
create index sims_org_search_idx on sims using gin (org_id, search_text gin_trgm_ops);

-- SIMs per organisation and lifecycle, kept by additive upserts in the transaction of each change.
create table org_sim_counts (
  org_id bigint not null references organisations (id),
  lifecycle smallint not null,
  sims bigint not null,
  primary key (org_id, lifecycle)
);

-- Facts about a SIM, for people: lifecycle, network, device, quota.
create table sim_events (
  sim_id bigint not null,
  at timestamptz not null,
  id bigint generated always as identity,
  org_id bigint not null,
  kind text not null,
  facts jsonb not null default '{}',
  actor text,
  task_id text,
  trace_id text,
  primary key (sim_id, at, id)
) partition by range (at);
