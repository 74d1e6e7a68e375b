-- Lists are sorted by usage. An index of the bytes themselves would make every record of a session write to all indexes, so
-- it knows the bytes of SIMs without a session, and of SIMs with one the step, an eighth of an octave from 256 kB on, within
-- which they are sorted when they are read. The step is the exponent and the first three bits of the binary64
-- floating-point number (IEEE 754), so it is exact on every machine, which a logarithm is not.
drop index sim_live_usage_step_idx;
alter table sim_live drop column usage_step;
drop function usage_step(bigint);
create function usage_step(bytes bigint) returns smallint language sql immutable parallel safe
return (get_byte(float8send(greatest(bytes, 262143)::float8), 0) * 128
  + get_byte(float8send(greatest(bytes, 262143)::float8), 1) / 2)::smallint;

alter table sim_live
  add column usage_step smallint not null generated always as (usage_step(used_bytes)) stored,
  add column settled_bytes bigint not null generated always as (case when connection = 1 then 0 else used_bytes end) stored;
create index sim_live_usage_idx on sim_live (org_id, connection, usage_step, settled_bytes, sim_id);
