-- What happened to organisations that have developers, as these are sent it and read it; a partition for each day (UTC).
create table webhook_events (
  org_id bigint not null,
  -- Grows with each event of the organisation.
  sequence bigint not null,
  recorded_at timestamptz not null,
  id uuid not null,
  type text not null,
  -- Of what concerns one account alone.
  account_id uuid,
  body text not null,
  primary key (org_id, sequence, recorded_at)
) partition by range (recorded_at);

create table webhook_sequences (
  org_id bigint primary key references organisations (id) on delete cascade,
  last bigint not null
);
