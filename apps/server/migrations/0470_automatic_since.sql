-- Since when an automatic pool enrols SIMs that are activated, where that is not since it was made.
alter table pools add column automatic_since timestamptz;
update pools p set automatic_since = changed.at
from (
  select subject_id, max(at) as at from audit_entries
  where action = 'pool.changed' and subject_kind = 'pool' and after ->> 'opt_in' = 'automatic'
  group by subject_id) as changed
where p.opt_in = 'automatic' and changed.subject_id = p.id::text;
