-- Accounts of the operator that have oversight are admins of its direct customers, those that are there already too.
insert into memberships (user_id, org_id, role)
select m.user_id, customer.id, 'admin'
from organisations customer
join organisations operator on operator.id = customer.parent_id and operator.parent_id is null
join memberships m on m.org_id = operator.id
where m.disabled_at is null and (m.oversight or m.role = 'superadmin')
on conflict do nothing;
