-- Which reports an organisation has made each month, and how; without a row none.
create table report_preferences (
  org_id bigint primary key references organisations (id) on delete cascade,
  formats text[] not null,
  language text not null,
  time_zone text not null,
  -- Targets of notifications: address groups.
  notify bigint[] not null,
  changed_at timestamptz not null
);

create table report_kinds (
  org_id bigint not null references report_preferences (org_id) on delete cascade,
  kind text not null,
  -- Months whose reports were due before are not made up.
  since timestamptz not null,
  primary key (org_id, kind)
);

-- A report of an organisation's month. One that was begun and is not made yet is seen by nobody.
create table reports (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id) on delete cascade,
  -- The first day of the month, in the time zone of the report.
  month_on date not null,
  kind text not null,
  language text not null,
  time_zone text not null,
  made_at timestamptz,
  rows bigint not null default 0,
  figures jsonb not null default '[]',
  series jsonb not null default 'null',
  preview jsonb not null default 'null',
  unique (org_id, month_on, kind)
);
create index reports_month_idx on reports (month_on);

create table report_files (
  report_id bigint not null references reports (id) on delete cascade,
  format text not null check (format in ('csv', 'xlsx')),
  bytes bigint not null,
  primary key (report_id, format)
);

create table report_parts (
  report_id bigint not null references reports (id) on delete cascade,
  format text not null,
  part integer not null,
  content bytea not null,
  primary key (report_id, format, part)
);
alter table report_parts alter column content set storage external;

-- Months of which an organisation was notified that they are ready.
create table report_months (
  org_id bigint not null references organisations (id) on delete cascade,
  month_on date not null,
  announced_at timestamptz not null,
  primary key (org_id, month_on)
);
