-- Three levels more, by what one filter or grouping asks for: country, APN and source.
truncate cdr_hours, cdr_counts, cdr_traits;

-- As it was when hours were computed: where the list of networks says otherwise now, all are computed again.
alter table cdr_traits add column country text not null;

alter table cdr_counts drop constraint cdr_counts_level_check,
  add constraint cdr_counts_level_check
    check (level in ('all', 'country', 'network', 'radio', 'apn', 'source', 'trait'));

-- How many SIMs and sessions of a row of cdr_counts were there for the first time: earlier on that day (UTC) they were not,
-- nor, by position from 1 on, on no day before, on the day before, on the two days before and so on. Those of many days are
-- counted once each by adding up one number of each row, however many there are.
create table cdr_firsts (
  org_id bigint not null,
  unit text not null check (unit in ('hour', 'day')),
  level text not null check (level in ('all', 'country', 'network', 'radio', 'apn', 'source')),
  starts_at timestamptz not null,
  part integer not null,
  sims integer[] not null,
  sessions integer[] not null,
  primary key (org_id, unit, level, starts_at, part)
);

-- Hours with the number of records that intake has counted; fresh are those that were computed of as many, while their
-- networks are of the same countries.
create view cdr_hour_states as
select u.org_id, u.hour_at, u.records, h.records is not distinct from u.records and m.org_id is null as fresh
from (select org_id, hour_at, sum(records)::bigint as records from org_usage_hourly group by org_id, hour_at) u
left join cdr_hours h on h.org_id = u.org_id and h.hour_at = u.hour_at
left join (
  select distinct t.org_id from cdr_traits t left join networks n on n.plmn = t.plmn
  where t.country <> coalesce(n.country, 'ZZ')) m on m.org_id = u.org_id;
