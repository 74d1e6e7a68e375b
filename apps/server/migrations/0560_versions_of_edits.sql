-- What two people edit at once: a change names the version that it was made of, and is refused when it is another by now.
alter table schedules add column version integer not null default 1;
alter table autoflow_templates add column version integer not null default 1;
alter table notification_targets add column version integer not null default 1;
