-- Organisations whose usage is watched, with the state of what they watch for: numbers of the whole installation, so that a
-- SIM that comes from another organisation never has the right one by chance.
create sequence usage_watch_versions;

create table usage_watches (
  org_id bigint primary key references organisations (id),
  version bigint not null
);

-- The usage of the running cycle from which on each record is looked at, computed for one version of what its organisation
-- watches for; null: never. Never more than what it takes, whatever period begins meanwhile.
alter table sim_live
  add column watch_bytes bigint,
  add column watch_version bigint not null default 0;
