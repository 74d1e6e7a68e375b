-- Whether the membership came from oversight alone: such memberships do not count among those that a person may join or create.
alter table memberships add column by_oversight boolean not null default false;

-- Until now, these were the ones added together with their organisation, except the creator's own.
update memberships m set by_oversight = true
from organisations o
where o.id = m.org_id and m.created_at = o.created_at and m.role = 'admin'
  and exists (
    select from memberships a
    where a.user_id = m.user_id and a.org_id <> m.org_id and (a.oversight or a.role = 'superadmin'))
  and not exists (
    select from audit_entries e
    where e.org_id = o.parent_id and e.action = 'organisation.created' and e.subject_id = o.id::text
      and e.actor_id = m.user_id::text);
