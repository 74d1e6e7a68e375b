-- What a message says comes before whose it is. With the organisation as the first column, the list of all its texts was read to
-- its end for each search, however little the text was said.
drop index sms_contents_search_idx;
drop index sms_contents_short_idx;
create index sms_contents_search_idx on sms_contents using gin (content gin_trgm_ops, org_id);
create index sms_contents_short_idx on sms_contents using gin (sms_short_texts(content), org_id);
