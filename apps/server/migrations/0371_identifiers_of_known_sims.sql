-- Those of the SIMs that were there before. In a transaction of its own: the lock that makes triggers is over, and SIMs are written
-- meanwhile, by the triggers also here.
insert into sim_identifiers (sim_id, kind, value)
select s.id, one.kind, one.value
from sims s cross join lateral (values (1, s.iccid), (2, s.imsi), (3, s.msisdn)) as one (kind, value)
where one.value is not null order by one.value, one.kind
on conflict do nothing;
analyze sim_identifiers;
