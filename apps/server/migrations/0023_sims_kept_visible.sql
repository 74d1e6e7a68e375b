-- Far pages and parts of names are read in an index alone, as long as the visibility map says that its rows are there for
-- everybody. A task on a hundred thousand SIMs clears that for all the pages it writes: vacuum comes after a twentieth of
-- the table has changed, not after a fifth.
alter table sims set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
