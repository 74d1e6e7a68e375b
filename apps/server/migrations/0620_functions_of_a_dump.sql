-- pg_restore makes tables with an empty search path. A body that is text is read there and then, and found no `folded`: a dump of a
-- whole installation came back without its SIMs. A body of the standard is kept as it was read, with the schemas of what it calls.
create or replace function sim_search_text(iccid text, imsi text, msisdn text, imei text, name text, notes text, tags text[])
returns text language sql immutable parallel safe
return folded(E'\n' || concat_ws(E'\n', iccid, imsi, msisdn, imei, translate(name, E'\n\r', '  '),
  translate(notes, E'\n\r', '  '), array_to_string(tags, E'\n')));
