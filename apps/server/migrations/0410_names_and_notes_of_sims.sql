-- Names and notes of SIMs, which alone can have a text with a blank or more than ASCII in it, beside tags. In the index of all that a
-- search looks at, numbers within it are met in every SIM: "oslo 26" had the letters of "26" in each IMSI of a German network.
create function sim_words(name text, notes text) returns text language sql immutable parallel safe
return translate(folded(coalesce(name, '') || E'\n' || coalesce(notes, '')), E'\n\r', '  ');

create index sims_org_words_idx on sims using gin (org_id, sim_words(device_name, notes) gin_trgm_ops);
