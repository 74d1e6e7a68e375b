-- Which SIM has an ICCID (kind 1), an IMSI (2) or an MSISDN (3), each of them once: what names a SIM is looked up here and nowhere
-- else, so that `sims` needs no unique key beside its id, which a table that is spread over nodes could not have.
create table sim_identifiers (
  sim_id bigint not null,
  kind smallint not null check (kind between 1 and 3),
  value text collate "C" not null,
  primary key (value, kind) include (sim_id)
);

-- Kept by the database in the statement that writes `sims`, whichever version of the program sends it.
create function name_new_sims() returns trigger language plpgsql as $$
begin
  insert into sim_identifiers (sim_id, kind, value)
  select made.id, one.kind, one.value
  from made cross join lateral (values (1, made.iccid), (2, made.imsi), (3, made.msisdn)) as one (kind, value)
  where one.value is not null;
  return null;
end $$;

create function rename_sim() returns trigger language plpgsql as $$
begin
  delete from sim_identifiers
  where (value, kind) in ((old.iccid, 1::smallint), (old.imsi, 2::smallint), (old.msisdn, 3::smallint));
  if lower(tg_op) = 'update' then
    insert into sim_identifiers (sim_id, kind, value)
    select new.id, one.kind, one.value
    from (values (1, new.iccid), (2, new.imsi), (3, new.msisdn)) as one (kind, value) where one.value is not null;
  end if;
  return null;
end $$;

create function forget_sims() returns trigger language plpgsql as $$
begin
  truncate sim_identifiers;
  return null;
end $$;

create trigger sims_named after insert on sims referencing new table as made
  for each statement execute function name_new_sims();
create trigger sims_renamed after update of iccid, imsi, msisdn or delete on sims
  for each row execute function rename_sim();
create trigger sims_forgotten after truncate on sims
  for each statement execute function forget_sims();
