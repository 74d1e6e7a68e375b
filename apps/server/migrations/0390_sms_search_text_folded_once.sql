-- As before. A line break is replaced in what is folded, which is so written once in it: as an argument of `folded` it stood in
-- three places of that, and was replaced in each.
create or replace function sms_search_text(content text) returns text language sql immutable parallel safe
return translate(folded(content), E'\n\r', '  ');
