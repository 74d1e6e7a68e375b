-- What SIMs are found and ordered by and sessions do not change. In `sim_live` their indexes got an entry with every change of a
-- SIM's connection: as other indexes know the connection, a new version of the row has one in each of them.
create table sim_live_keys (
  sim_id bigint primary key,
  org_id bigint not null,
  cost_micros bigint not null,
  cycle_ends_at timestamptz
);
create index sim_live_keys_cost_idx on sim_live_keys (org_id, cost_micros, sim_id);
create index sim_live_keys_cycle_idx on sim_live_keys (cycle_ends_at) where cycle_ends_at is not null;

-- Kept by the database in the statement that writes `sim_live`, whichever version of the program sends it.
create function key_new_sim_live() returns trigger language plpgsql as $$
begin
  insert into sim_live_keys (sim_id, org_id, cost_micros, cycle_ends_at)
  select sim_id, org_id, cost_micros, cycle_ends_at from made order by sim_id;
  return null;
end $$;

create function key_sim_live() returns trigger language plpgsql as $$
begin
  insert into sim_live_keys (sim_id, org_id, cost_micros, cycle_ends_at)
  values (new.sim_id, new.org_id, new.cost_micros, new.cycle_ends_at)
  on conflict (sim_id) do update set org_id = excluded.org_id, cost_micros = excluded.cost_micros,
    cycle_ends_at = excluded.cycle_ends_at;
  return null;
end $$;

create function unkey_sim_live() returns trigger language plpgsql as $$
begin
  delete from sim_live_keys where sim_id = old.sim_id;
  return null;
end $$;

create function unkey_all_sim_live() returns trigger language plpgsql as $$
begin
  truncate sim_live_keys;
  return null;
end $$;

create trigger sim_live_made after insert on sim_live referencing new table as made
  for each statement execute function key_new_sim_live();
create trigger sim_live_changed after update of org_id, cost_micros, cycle_ends_at on sim_live
  for each row when (old.org_id <> new.org_id or old.cost_micros <> new.cost_micros
    or old.cycle_ends_at is distinct from new.cycle_ends_at)
  execute function key_sim_live();
create trigger sim_live_removed after delete on sim_live
  for each row execute function unkey_sim_live();
create trigger sim_live_forgotten after truncate on sim_live
  for each statement execute function unkey_all_sim_live();
