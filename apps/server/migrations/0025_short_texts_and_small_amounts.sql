-- What lists had to look for SIM by SIM: texts of one or two letters, and amounts next to nothing.

-- A field is one line of what a search looks at: breaks within names and notes are none.
create or replace function sim_search_text(iccid text, imsi text, msisdn text, imei text, name text, notes text, tags text[])
returns text language sql immutable parallel safe
as $$ select lower(E'\n' || concat_ws(E'\n', iccid, imsi, msisdn, imei, translate(name, E'\n\r', '  '),
  translate(notes, E'\n\r', '  '), array_to_string(tags, E'\n'))) $$;
update sims set notes = notes where notes like E'%\n%' or device_name like E'%\n%';

-- Every letter of a text and every pair of neighbours, each after the mark.
create function letters_and_pairs(whole text, mark text) returns text[] language sql immutable strict parallel safe
as $$ select array(select mark || part from generate_series(1, length(whole)) as i
  cross join lateral (values (substr(whole, i, 1)), (substr(whole, i, 2))) as parts (part)) $$;

-- What short texts find, as trigrams tell the start of a field from that of any word in it no better than a look at the
-- SIM does: the first letter and the first two of each field, and all letters and pairs of names and notes that are more
-- than ASCII, as two Chinese characters are a word. Those of the notes are told from the others by a line break; those of
-- tags are among the organisation's tags.
create function sim_short_texts(iccid text, imsi text, msisdn text, imei text, name text, notes text) returns text[]
language sql immutable parallel safe
return array_remove(array[left(iccid, 1), left(iccid, 2), left(imsi, 1), left(imsi, 2), left(msisdn, 1),
  left(msisdn, 2), left(imei, 1), left(imei, 2), left(lower(name), 1), left(lower(name), 2),
  E'\n' || left(lower(notes), 1), E'\n' || left(lower(notes), 2)], null)
  || case when octet_length(name) > length(name) then letters_and_pairs(lower(name), '') end
  || case when octet_length(notes) > length(notes) then letters_and_pairs(lower(notes), E'\n') end;

create index sims_org_short_texts_idx on sims
  using gin (org_id, sim_short_texts(iccid, imsi, msisdn, last_imei, device_name, notes));

-- Amounts below 256 kB have steps of an octave, below zero, and nothing at all has one of its own: each is listed. But
-- while the SIM is online all of them are step 0, so that the updates of a session that uses next to nothing stay
-- heap-only; a session's beginning and end are none, as the connection changes.
drop index sim_live_usage_step_idx;
alter table sim_live drop column usage_step;
drop function usage_step(bigint);
create function usage_step(bytes bigint) returns smallint language sql immutable parallel safe
as $$ select case
  when bytes <= 0 then -19
  when bytes < 262144 then floor(ln(bytes::float8) / ln(2::float8)) - 18
  else 1 + floor(ln(bytes::float8 / 262144) / ln(2::float8) * 8) end::smallint $$;
alter table sim_live add column usage_step smallint not null generated always as
  (case when connection = 1 then greatest(usage_step(used_bytes), 0::smallint) else usage_step(used_bytes) end) stored;
create index sim_live_usage_step_idx on sim_live (org_id, usage_step, sim_id);
