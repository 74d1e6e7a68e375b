-- What somebody is told, once for all that it goes to. Its id is the `webhook-id` of every request about it.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  org_id bigint not null references organisations (id) on delete cascade,
  kind text not null,
  fields jsonb not null,
  created_at timestamptz not null
);
create index notifications_created_idx on notifications (created_at);

-- One notification on its way to one address.
create table deliveries (
  id bigint generated always as identity primary key,
  notification_id uuid not null references notifications (id) on delete cascade,
  org_id bigint not null,
  -- None: to a person, such as the owner of a target.
  target_id bigint references notification_targets (id) on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'api')),
  -- What fails together: an API target by its id, 0 the mail server, -1 the SMS connection.
  lane bigint not null,
  address text not null,
  language text not null,
  -- 0 waiting, 1 delivered, 2 failed
  state smallint not null default 0 check (state in (0, 1, 2)),
  -- Attempts that were begun. A result counts only for the newest.
  attempts integer not null default 0,
  -- When it is tried, or is tried again should the process that tries it die.
  due_at timestamptz,
  fault text,
  status integer,
  created_at timestamptz not null,
  check ((state = 0) = (due_at is not null))
);
create index deliveries_due_idx on deliveries (lane, due_at, id) where state = 0;
create index deliveries_target_idx on deliveries (target_id, id);
create index deliveries_notification_idx on deliveries (notification_id);

-- Each attempt, written when it begins; without a duration it runs, or its process died.
create table delivery_attempts (
  delivery_id bigint not null references deliveries (id) on delete cascade,
  number integer not null,
  at timestamptz not null,
  duration_ms integer,
  fault text,
  status integer,
  primary key (delivery_id, number)
);

-- Lanes that have failed. From the fifth failure in a row on, one delivery at a time is tried.
create table delivery_lanes (
  lane bigint primary key,
  failures integer not null,
  failing_since timestamptz,
  next_try_at timestamptz,
  -- When the owner was last told.
  told_at timestamptz
);
