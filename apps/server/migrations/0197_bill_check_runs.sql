-- Bills that are being computed again in the background. A run that has not been heard of for long has died.
create table bill_check_runs (
  bill_id bigint primary key,
  started_at timestamptz not null,
  heard_at timestamptz not null,
  sims integer not null,
  sims_done integer not null default 0
);
