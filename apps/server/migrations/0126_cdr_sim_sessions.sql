-- With each SIM of a pack its sessions are a set that can be passed over: they are read of the SIMs that are shown alone.
-- All hours are computed again.
truncate cdr_sim_counts;
delete from cdr_hours;
