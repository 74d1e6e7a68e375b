-- Sessions that CDR files reported before accounting did: the part of each that was counted. When accounting begins such a
-- session, it counts the rest.
create table filed_sessions (
  sim_id bigint not null,
  session_key bigint not null,
  -- Cumulative volume of the session before its first record in files, and after its last one.
  from_up_bytes bigint not null,
  from_down_bytes bigint not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  -- Of its last record.
  ended_at timestamptz not null,
  primary key (sim_id, session_key)
);

create index filed_sessions_ended_idx on filed_sessions (ended_at);
