-- Jobs that have used up their attempts, until they are queued again, dropped or done by another: what the queue itself
-- would keep for good without showing it.
create table dead_lettered_jobs (
  -- Of the job in the queue.
  id bigint primary key,
  name text not null,
  -- One letter for each key. Jobs of the clock have their name as key.
  key text unique,
  queue text,
  payload jsonb not null,
  max_attempts integer not null,
  attempts integer not null,
  error text not null,
  times integer not null default 1,
  queued_at timestamptz not null,
  dead_lettered_at timestamptz not null default now()
);

create index dead_lettered_jobs_at_idx on dead_lettered_jobs (dead_lettered_at);
