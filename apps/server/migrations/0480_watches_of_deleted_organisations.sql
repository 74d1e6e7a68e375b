-- What an organisation watches for goes with it: without SIMs, orders and sub-organisations it can be deleted.
alter table usage_watches
  drop constraint usage_watches_org_id_fkey,
  add constraint usage_watches_org_id_fkey foreign key (org_id) references organisations (id) on delete cascade;
