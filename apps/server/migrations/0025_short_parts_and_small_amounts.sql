-- What lists had to look for SIM by SIM: parts of one or two letters, and amounts next to nothing.

-- The letters of a text and its pairs of neighbours, as trigrams know nothing of parts as short as that. A text contains
-- a part when it has all of the part's letters and pairs; for a part of one or two letters the reverse is true as well.
create function letters_and_pairs(whole text) returns text[] language sql immutable strict parallel safe
as $$ select string_to_array(whole, null)
  || array(select substr(whole, i, 2) from generate_series(1, length(whole) - 1) as i) $$;

create index sims_org_short_parts_idx on sims
  using gin (org_id, letters_and_pairs(lower(device_name)), letters_and_pairs(lower(notes)));

-- Amounts below 256 kB have steps of an octave, below zero, and nothing at all has one of its own: each is listed.
-- 18 more changes, at the most, in the cycle of a SIM that uses little.
drop index sim_live_usage_step_idx;
alter table sim_live drop column usage_step;
create or replace function usage_step(bytes bigint) returns smallint language sql immutable parallel safe
as $$ select case
  when bytes <= 0 then -19
  when bytes < 262144 then floor(ln(bytes::float8) / ln(2::float8)) - 18
  else 1 + floor(ln(bytes::float8 / 262144) / ln(2::float8) * 8) end::smallint $$;
alter table sim_live add column usage_step smallint not null generated always as (usage_step(used_bytes)) stored;
create index sim_live_usage_step_idx on sim_live (org_id, usage_step, sim_id);
