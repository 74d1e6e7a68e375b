-- Calls made by API keys (specification, section 3: API log), a partition for each day (UTC).
create table api_calls (
  org_id bigint not null,
  user_id uuid not null,
  at timestamptz not null,
  trace_id uuid not null,
  key_id uuid not null,
  key_name text,
  address inet not null,
  method text not null,
  path text not null,
  http_code smallint not null,
  code text,
  duration_ms integer not null,
  header jsonb not null,
  body text,
  body_bytes integer not null,
  response text,
  response_bytes integer not null,
  primary key (org_id, user_id, at, trace_id)
) partition by range (at);
-- What most calls are not.
create index api_calls_refused_idx on api_calls (org_id, user_id, at, trace_id) where http_code >= 400;
