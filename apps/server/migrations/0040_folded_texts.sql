-- Names are compared without regard to width and case: an organisation can't take another one's name in other letters,
-- and what is typed in full-width letters is found.

-- NFKC, full case folding by way of the upper case, without what is invisible; the contract's `folded` says the same.
create function folded(value text) returns text language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value)
  else normalize(replace(lower(upper(normalize(translate(value,
    U&'\00AD\034F\061C\115F\1160\180B\180C\180D\180E\200B\200C\200D\200E\200F\2060\2061\2062\2063\2064\3164\FE00\FE01\FE0E\FE0F\FEFF\FFA0',
    ''), nfkc))), 'ß', 'ss'), nfkc)
end;

-- Names that were told apart by these alone get the number of their row: they stay, and each is the only one.
with doubles as (
  select id, row_number() over (partition by coalesce(parent_id, 0), folded(name) order by id) as place
  from organisations)
update organisations o set name = left(o.name, 40 - length(o.id::text) - 3) || ' (' || o.id || ')'
from doubles d where d.id = o.id and d.place > 1;
with doubles as (
  select id, row_number() over (partition by org_id, user_id, folded(name) order by id) as place from saved_views)
update saved_views v set name = left(v.name, 40 - length(v.id::text) - 3) || ' (' || v.id || ')'
from doubles d where d.id = v.id and d.place > 1;
with doubles as (
  select id, row_number() over (partition by org_id, kind, folded(name) order by id) as place from address_groups)
update address_groups g set name = left(g.name, 50 - length(g.id::text) - 3) || ' (' || g.id || ')'
from doubles d where d.id = g.id and d.place > 1;

drop index organisations_name_key;
create unique index organisations_name_key on organisations (coalesce(parent_id, 0), folded(name));
drop index saved_views_name_key;
create unique index saved_views_name_key on saved_views (org_id, user_id, folded(name));
drop index address_groups_name_key;
create unique index address_groups_name_key on address_groups (org_id, kind, folded(name));
drop index audit_entries_names_idx;
create index audit_entries_names_idx on audit_entries
  using gin (org_id, folded(actor_name || E'\n' || subject_name) gin_trgm_ops);

-- The search of SIMs. Of ASCII alone nothing changes; the other rows are written anew, with their entries in the indexes.
create or replace function sim_search_text(iccid text, imsi text, msisdn text, imei text, name text, notes text, tags text[])
returns text language sql immutable parallel safe
as $$ select folded(E'\n' || concat_ws(E'\n', iccid, imsi, msisdn, imei, translate(name, E'\n\r', '  '),
  translate(notes, E'\n\r', '  '), array_to_string(tags, E'\n'))) $$;
create or replace function sim_short_texts(iccid text, imsi text, msisdn text, imei text, name text, notes text) returns text[]
language sql immutable parallel safe
return array_remove(array[left(iccid, 1), left(iccid, 2), left(imsi, 1), left(imsi, 2), left(msisdn, 1),
  left(msisdn, 2), left(imei, 1), left(imei, 2), left(folded(name), 1), left(folded(name), 2),
  E'\n' || left(folded(notes), 1), E'\n' || left(folded(notes), 2)], null)
  || case when octet_length(name) > length(name) then letters_and_pairs(folded(name), '') end
  || case when octet_length(notes) > length(notes) then letters_and_pairs(folded(notes), E'\n') end;
update sims set notes = notes where octet_length(search_text) > length(search_text);

-- The order by name, by which names are looked for too.
alter table sims drop column name_key;
alter table sims add column name_key text collate "C" not null
  generated always as (coalesce(folded(device_name), U&'\+10FFFF')) stored;
create index sims_org_name_idx on sims (org_id, name_key, id) include (lifecycle);
