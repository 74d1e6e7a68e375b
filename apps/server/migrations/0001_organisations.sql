-- Customer organisations form a tree; a first-level one (parent_id = the operator's) is a direct customer.
create table organisations (
  id bigint generated always as identity primary key,
  tenant_id uuid not null unique default gen_random_uuid(),
  code text not null unique,
  name text not null,
  country char(2) not null,
  parent_id bigint references organisations (id),
  logo text,
  created_at timestamptz not null default now()
);

-- Codes are told apart without regard to case: people type and say them.
create unique index organisations_code_lower_key on organisations (lower(code));
create index organisations_parent_idx on organisations (parent_id);
