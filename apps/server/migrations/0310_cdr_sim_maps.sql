-- Which SIMs a pack has, and where, so that the database finds a few of them without handing over the ids of all: for every 128
-- ids, from those with the number `map_from` on, a bit for each (16 bytes) and how many bytes of the pack are before them (4).
-- Empty where SIMs are few among so many ids.
alter table cdr_sim_counts
  add column map bytea,
  add column map_from bigint not null default 0,
  -- The transaction that wrote the map: as with `written`, it is of another pack where another one wrote the row.
  add column mapped bigint;
alter table cdr_sim_counts alter map set storage external;
