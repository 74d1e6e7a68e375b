-- What is counted late, of an hour or a day of a former owner, is taken off the former owners' part of it.
alter table usage_handovers drop constraint usage_handovers_pkey;
alter table usage_handovers add primary key (sim_id, number, unit, starts_at, plmn, radio);
