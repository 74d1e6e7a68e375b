-- What messages say, for the search: a row for each text that an organisation sends at an instant, to however many SIMs, and
-- for each that it receives. Beside the messages, whose rows are written again with every change of their states.
create table sms_contents (
  org_id bigint not null,
  at timestamptz not null,
  id bigint generated always as identity,
  mobile_originated boolean not null,
  scheduled boolean not null default false,
  -- Folded, in one line.
  content text not null,
  primary key (org_id, at, id)
) partition by range (at);

create function sms_search_text(content text) returns text language sql immutable parallel safe
return folded(translate(content, E'\n\r', '  '));

-- What texts of one or two letters find: those at the start, and of more than ASCII every letter and every pair.
create function sms_short_texts(content text) returns text[] language sql immutable parallel safe
return array[left(content, 1), left(content, 2)]
  || case when octet_length(content) > length(content) then letters_and_pairs(content, '') end;

create index sms_contents_search_idx on sms_contents using gin (org_id, content gin_trgm_ops);
create index sms_contents_short_idx on sms_contents using gin (org_id, sms_short_texts(content));

do $$
declare
  month record;
begin
  for month in
    select replace(c.relname, 'sms_messages', 'sms_contents') as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_class c join pg_inherits i on i.inhrelid = c.oid where i.inhparent = 'sms_messages'::regclass
  loop
    execute format('create table %I partition of sms_contents %s', month.name, month.bounds);
  end loop;
end $$;
insert into sms_contents (org_id, at, mobile_originated, scheduled, content)
select distinct org_id, at, mobile_originated, scheduled, sms_search_text(content) from sms_messages;
