-- Saved views can be shared with the organisation, and each person puts them in an order of their own. What a person saved
-- goes with the membership; what was shared then has no owner and is the organisation's.
delete from saved_views v
where not exists (select from memberships m where m.org_id = v.org_id and m.user_id = v.user_id);

alter table saved_views
  add column sort text,
  add column shared_at timestamptz,
  add column updated_at timestamptz,
  alter column user_id drop not null,
  add constraint saved_views_membership_fkey foreign key (org_id, user_id)
    references memberships (org_id, user_id) on delete cascade,
  add constraint saved_views_owned_check check (user_id is not null or shared_at is not null);
update saved_views set updated_at = created_at;
alter table saved_views alter column updated_at set not null;
create index saved_views_shared_idx on saved_views (org_id) where shared_at is not null;

create table saved_view_orders (
  org_id bigint not null,
  user_id uuid not null,
  view_ids bigint[] not null,
  primary key (org_id, user_id),
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
