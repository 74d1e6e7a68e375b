-- Messages that are sent by the clock (specification, section 3: Scheduled SMS).
create table schedules (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  name text not null,
  content text not null,
  -- Once at a time, or weekly at times between two days, as clocks and calendars of the zone show them.
  timing jsonb not null check (timing ->> 'mode' in ('once', 'weekly')),
  time_zone text not null,
  group_id bigint references notification_targets (id) on delete set null,
  only_failures boolean not null,
  enabled boolean not null,
  -- Null: nothing is to come, or it is disabled.
  next_run_at timestamptz,
  -- In whose name it runs.
  owner_id uuid references users (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (enabled or next_run_at is null)
);
create index schedules_org_idx on schedules (org_id, id);
create index schedules_due_idx on schedules (next_run_at) where next_run_at is not null;
create index schedules_group_idx on schedules (group_id) where group_id is not null;

create table schedule_sims (
  id bigint generated always as identity primary key,
  schedule_id bigint not null references schedules (id) on delete cascade,
  sim_id bigint not null,
  iccid text not null,
  unique (schedule_id, sim_id)
);
create index schedule_sims_schedule_idx on schedule_sims (schedule_id, id);

-- A time of a schedule is run, or noted as missed, once: whoever comes second finds the row.
create table schedule_runs (
  schedule_id bigint not null references schedules (id) on delete cascade,
  run_at timestamptz not null,
  org_id bigint not null,
  state text not null check (state in ('started', 'missed', 'refused')),
  -- Why it could not begin.
  code text,
  started_at timestamptz,
  task text,
  quantity integer not null,
  -- When what became of its messages was final, or is taken for it.
  settled_at timestamptz,
  primary key (schedule_id, run_at),
  check ((state = 'started') = (task is not null and started_at is not null))
);
create index schedule_runs_open_idx on schedule_runs (started_at) where state = 'started' and settled_at is null;

-- The messages of a run: of the many, those that were scheduled.
create index sms_messages_scheduled_idx on sms_messages (task, sim_id) where scheduled;

-- The operation log of a schedule.
create index audit_entries_schedule_idx on audit_entries (org_id, subject_id, number) where subject_kind = 'schedule';
