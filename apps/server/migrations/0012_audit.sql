-- Every change by a person, a key or the operator. Entries of an organisation form a chain: each carries the hash of
-- itself and the one before. Organisation 0 is the installation itself (people who belong nowhere, the command line).
create table audit_entries (
  org_id bigint not null,
  number bigint not null,
  at timestamptz not null,
  action text not null,
  actor_kind text not null check (actor_kind in ('person', 'key', 'operator', 'system')),
  actor_id text,
  actor_name text not null,
  subject_kind text not null,
  subject_id text not null,
  subject_name text not null,
  before jsonb,
  after jsonb,
  address inet,
  trace_id text,
  hash bytea not null,
  primary key (org_id, number)
);

create index audit_entries_at_idx on audit_entries (org_id, at desc);
create index audit_entries_action_idx on audit_entries (org_id, action, number);
create index audit_entries_actor_idx on audit_entries (org_id, actor_id, number);
create index audit_entries_names_idx on audit_entries
  using gin (org_id, lower(actor_name || E'\n' || subject_name) gin_trgm_ops);

-- The end of each chain: what is missing at the end shows against it. Its row is the lock under which entries are added.
create table audit_heads (
  org_id bigint primary key,
  number bigint not null,
  hash bytea not null
);
