-- What an operation on the SIM holds its data at, until the cycle turns or somebody resumes it; without a rate: off.
alter table sim_live
  add column held_until timestamptz,
  add column held_kbps integer check (held_kbps > 0);
