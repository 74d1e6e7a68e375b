-- Facts, written in the transaction that made them true. `xact` orders them so that a reader which only
-- takes rows below the oldest running transaction can never pass over one that commits late.
create table outbox (
  xact xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  topic text not null,
  org_id bigint,
  payload jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (xact, id)
);

create index outbox_created_idx on outbox (created_at);

-- How far each consumer has come; moved in the transaction of its effects.
create table outbox_cursors (
  consumer text primary key,
  xact xid8 not null,
  id bigint not null,
  attempts integer not null default 0,
  retry_at timestamptz,
  last_error text
);

-- Facts that a consumer could not digest after all its tries: kept for the operator, the rest goes on.
create table outbox_parked (
  consumer text not null,
  xact xid8 not null,
  id bigint not null,
  topic text not null,
  payload jsonb not null,
  error text not null,
  parked_at timestamptz not null default now(),
  primary key (consumer, xact, id)
);
