-- What customers may order for their SIMs by themselves: nothing, until the catalogue says so.
alter table bundles add column orderable boolean not null default false;
