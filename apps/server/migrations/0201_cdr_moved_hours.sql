-- Parts of the level of countries are numbers of their codes: a network that moves to another country changes the parts of the
-- hours alone that have records of it. Until now they were the first trait of each country.
update cdr_counts c set part = -(ascii(t.country) * 256 + ascii(substr(t.country, 2)))
from cdr_traits t where c.level = 'country' and t.id = c.part;
update cdr_counts set part = -part where level = 'country';
update cdr_firsts c set part = -(ascii(t.country) * 256 + ascii(substr(t.country, 2)))
from cdr_traits t where c.level = 'country' and t.id = c.part;
update cdr_firsts set part = -part where level = 'country';

-- Computed while a network of its records was of another country, and to be computed again.
alter table cdr_hours add column moved boolean not null default false;

-- Hours that were, and are not marked yet. `offset 0` has the hours of each such network looked up, of which there are few.
create view cdr_moved_hours as
select distinct t.org_id, c.starts_at as hour_at
from cdr_traits t
left join networks n on n.plmn = t.plmn
cross join lateral (
  select starts_at from cdr_counts
  where org_id = t.org_id and unit = 'hour' and level = 'trait' and part = t.id offset 0) c
where t.country <> coalesce(n.country, 'ZZ');

-- Hours with the number of records that intake has counted; fresh are those that were computed of as many, while their
-- networks are of the same countries.
create or replace view cdr_hour_states as
select u.org_id, u.hour_at, u.records,
  h.records is not distinct from u.records and not coalesce(h.moved, false) and m.org_id is null as fresh,
  coalesce(h.moved, false) or m.org_id is not null as moved
from (select org_id, hour_at, sum(records)::bigint as records from org_usage_hourly group by org_id, hour_at) u
left join cdr_hours h on h.org_id = u.org_id and h.hour_at = u.hour_at
left join cdr_moved_hours m on m.org_id = u.org_id and m.hour_at = u.hour_at;

drop view cdr_moved_orgs;
