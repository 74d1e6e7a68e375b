-- Organisations of which hours were computed while a network was of another country.
create view cdr_moved_orgs as
select distinct t.org_id from cdr_traits t left join networks n on n.plmn = t.plmn
where t.country <> coalesce(n.country, 'ZZ');

create or replace view cdr_hour_states as
select u.org_id, u.hour_at, u.records, h.records is not distinct from u.records and m.org_id is null as fresh
from (select org_id, hour_at, sum(records)::bigint as records from org_usage_hourly group by org_id, hour_at) u
left join cdr_hours h on h.org_id = u.org_id and h.hour_at = u.hour_at
left join cdr_moved_orgs m on m.org_id = u.org_id;
