-- Background work that people see: what they began, how far it is, what came of it.
create table tasks (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  type text not null,
  quantity bigint not null check (quantity >= 0),
  done bigint not null default 0 check (done between 0 and quantity),
  remark text,
  status text not null default 'processing' check (status in ('processing', 'done', 'issues')),
  result jsonb,
  started_at timestamptz not null,
  -- A task that has not moved for long belongs to a process that died.
  moved_at timestamptz not null,
  ended_at timestamptz,
  check ((status = 'processing') = (ended_at is null))
);

create index tasks_user_idx on tasks (user_id, org_id, started_at desc);
create index tasks_org_idx on tasks (org_id);
create index tasks_processing_idx on tasks (moved_at) where status = 'processing';
