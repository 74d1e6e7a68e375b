-- Intake decides by what it remembers of a SIM and writes only over the row that it has read. Whether the SIM may be
-- online is part of what it decides by, so a change of the lifecycle is a new version of the row, too.
alter table sim_live add column lifecycle_changes integer not null default 0;
