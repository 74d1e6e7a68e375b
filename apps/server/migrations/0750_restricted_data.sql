-- Until when a SIM's data is stopped or slowed, by its quota, its shared pool or a rule, for lists: `-infinity` if it is not.
-- `sim-data.rules.ts` decides the same for Access-Requests.
create function data_stopped_until(data_state smallint, cycle_ends_at timestamptz, pool_stopped_until timestamptz,
  held_until timestamptz, held_kbps integer)
returns timestamptz language sql immutable parallel safe
return greatest('-infinity'::timestamptz, case when data_state = 2 then coalesce(cycle_ends_at, 'infinity') end,
  pool_stopped_until, case when held_kbps is null then held_until end);

create function data_slowed_until(data_state smallint, rate_kbps integer, cycle_ends_at timestamptz,
  held_until timestamptz, held_kbps integer)
returns timestamptz language sql immutable parallel safe
return greatest('-infinity'::timestamptz,
  case when data_state = 1 and rate_kbps is not null then coalesce(cycle_ends_at, 'infinity') end,
  case when held_kbps is not null then held_until end);

alter table sim_live_keys
  add column stopped_until timestamptz not null default '-infinity',
  add column slowed_until timestamptz not null default '-infinity';
-- While they have no entries: made after the update of 0751, they would keep accounting from writing for its whole transaction.
create index sim_live_keys_stopped_idx on sim_live_keys (org_id, stopped_until, sim_id) where stopped_until > '-infinity';
create index sim_live_keys_slowed_idx on sim_live_keys (org_id, slowed_until, sim_id) where slowed_until > '-infinity';

create or replace function key_new_sim_live() returns trigger language plpgsql as $$
begin
  insert into sim_live_keys (sim_id, org_id, cost_micros, cycle_ends_at, stopped_until, slowed_until)
  select sim_id, org_id, cost_micros, cycle_ends_at,
    data_stopped_until(data_state, cycle_ends_at, pool_stopped_until, held_until, held_kbps),
    data_slowed_until(data_state, rate_kbps, cycle_ends_at, held_until, held_kbps)
  from made order by sim_id;
  return null;
end $$;

create or replace function key_sim_live() returns trigger language plpgsql as $$
begin
  insert into sim_live_keys (sim_id, org_id, cost_micros, cycle_ends_at, stopped_until, slowed_until)
  values (new.sim_id, new.org_id, new.cost_micros, new.cycle_ends_at,
    data_stopped_until(new.data_state, new.cycle_ends_at, new.pool_stopped_until, new.held_until, new.held_kbps),
    data_slowed_until(new.data_state, new.rate_kbps, new.cycle_ends_at, new.held_until, new.held_kbps))
  on conflict (sim_id) do update set org_id = excluded.org_id, cost_micros = excluded.cost_micros,
    cycle_ends_at = excluded.cycle_ends_at, stopped_until = excluded.stopped_until, slowed_until = excluded.slowed_until;
  return null;
end $$;

create or replace trigger sim_live_changed after update of org_id, cost_micros, cycle_ends_at, data_state, rate_kbps,
    pool_stopped_until, held_until, held_kbps on sim_live
  for each row when (old.org_id <> new.org_id or old.cost_micros <> new.cost_micros
    or old.cycle_ends_at is distinct from new.cycle_ends_at or old.data_state <> new.data_state
    or old.rate_kbps is distinct from new.rate_kbps or old.pool_stopped_until is distinct from new.pool_stopped_until
    or old.held_until is distinct from new.held_until or old.held_kbps is distinct from new.held_kbps)
  execute function key_sim_live();
