-- What each SIM is being refused access for, and when its events last said so: a device that tries again and again is
-- told of once. The rows of a SIM go when it gets in; those older than a day say nothing any more.
create table access_refusals (
  sim_id bigint not null,
  reason text not null,
  told_at timestamptz not null,
  primary key (sim_id, reason)
);

create index access_refusals_told_at_idx on access_refusals (told_at);
