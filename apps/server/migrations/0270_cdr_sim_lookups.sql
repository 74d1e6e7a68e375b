-- Some SIMs of a pack are found without reading all of it: the ids that it has (a packed set), and how many bytes each block of
-- SIMs takes. So are those with the most usage: they are packed by themselves, with the most that any other has.
alter table cdr_sim_counts
  add column ids bytea,
  add column places bytea,
  add column head bytea,
  add column rest_bytes bigint not null default 0,
  -- The transaction that wrote these: where another one wrote the row, as a server of the version before does, they are of
  -- another pack, and all of it is read until a job has made them again.
  add column written bigint;
-- Packed already.
alter table cdr_sim_counts alter ids set storage external, alter head set storage external;
