-- Answers of writes that carried an Idempotency-Key: the same key with the same request answers the same.
create table idempotent_requests (
  user_id uuid not null,
  key text not null,
  request_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);

create index idempotent_requests_created_idx on idempotent_requests (created_at);

-- Settings of the installation that are made once by the machine (such as the sealing key's check value).
create table installation (
  key text primary key,
  value text not null,
  set_at timestamptz not null default now()
);
