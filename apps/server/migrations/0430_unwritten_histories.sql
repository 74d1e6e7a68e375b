-- On a cluster a batch of accounting commits on the coordinator what SIMs are now, and with it what their nodes are to be
-- given; each node is given it in a transaction of its own (decision 19). On one server both tables stay empty.
create table unwritten_histories (
  id bigint generated always as identity primary key,
  recorded_at timestamptz not null default now(),
  sim_ids bigint[] not null,
  -- The statements for the nodes, and those that follow on the coordinator.
  content bytea not null
);

-- What a node was given: in its own transaction, so that it is given once. The SIM is any of the node's.
create table written_histories (
  sim_id bigint not null,
  history_id bigint not null,
  primary key (sim_id, history_id)
);

-- The latest end of a file's records: what intake reports after it can't be in a file.
alter table cdr_files add column newest_at timestamptz;
update cdr_files set newest_at = coalesce(finished_at, now());
create index cdr_files_newest_idx on cdr_files (newest_at);
