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

create index organisations_parent_idx on organisations (parent_id);
