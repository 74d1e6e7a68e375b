-- What a text says is looked up by any three letters of it in a row, blanks and punctuation among them: the rarest of those that
-- are searched for, and no others, as the lists of frequent ones are read to their end. The organisation is part of each, so
-- that a list has its own texts alone. Of one letter or two the index knows those at the start, and of texts that are more
-- than ASCII every letter and every pair.
create function sms_grams(org_id bigint, content text) returns bigint[] language plpgsql immutable parallel safe
as $$
declare
  size constant integer := length(content);
  is_plain constant boolean := octet_length(content) = size;
  grams bigint[] := array[hashtextextended(left(content, 1), org_id), hashtextextended(left(content, 2), org_id)];
  place integer := 2;
  block text;
begin
  -- In blocks: a letter far from the start of a text is found by counting those before it.
  for start in 0..size - 1 by 64 loop
    block := substr(content, start + 1, 66);
    for i in 1..least(64, size - start) loop
      if start + i + 2 <= size then
        place := place + 1;
        grams[place] := hashtextextended(substr(block, i, 3), org_id);
      end if;
      if not is_plain then
        grams[place + 1] := hashtextextended(substr(block, i, 1), org_id);
        grams[place + 2] := hashtextextended(substr(block, i, 2), org_id);
        place := place + 2;
      end if;
    end loop;
  end loop;
  return grams;
end $$;

create index sms_contents_grams_idx on sms_contents using gin (sms_grams(org_id, content));
drop index sms_contents_search_idx;
drop index sms_contents_short_idx;
