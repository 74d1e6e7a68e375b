-- Prices of the operator, in millionths of a tariff's currency.
create table zones (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  -- Where every country is that no other zone names.
  is_default boolean not null default false,
  countries text[] not null default '{}',
  check (not (is_default and cardinality(countries) > 0))
);
create unique index zones_default_key on zones (is_default) where is_default;

create table tariffs (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  currency char(3) not null
);

-- In force from a day (UTC+8) until the next one begins.
create table tariff_versions (
  id bigint generated always as identity primary key,
  tariff_id bigint not null references tariffs (id),
  starts_on date not null,
  sms_mt_micros bigint not null default 0 check (sms_mt_micros >= 0),
  sms_mo_micros bigint not null default 0 check (sms_mo_micros >= 0),
  pool_cycle_micros bigint not null default 0 check (pool_cycle_micros >= 0),
  pool_over_micros bigint not null default 0 check (pool_over_micros >= 0),
  unique (tariff_id, starts_on)
);

create table tariff_bundle_prices (
  version_id bigint not null references tariff_versions (id) on delete cascade,
  bundle_id bigint not null references bundles (id),
  activation_micros bigint not null default 0 check (activation_micros >= 0),
  cycle_micros bigint not null default 0 check (cycle_micros >= 0),
  -- Beyond the quota, each started MB, or each started block under "billing and threshold".
  over_micros bigint not null default 0 check (over_micros >= 0),
  primary key (version_id, bundle_id)
);

-- With the countries of the zone as they were when the version began: a zone changes for versions to come only.
create table tariff_zone_prices (
  version_id bigint not null references tariff_versions (id) on delete cascade,
  zone_id bigint not null references zones (id),
  countries text[] not null,
  -- Each started MB.
  usage_micros bigint not null check (usage_micros >= 0),
  primary key (version_id, zone_id)
);

-- Which tariff an organisation and those below it have from a day (UTC+8) on; none: that of the organisation above.
create table org_tariffs (
  org_id bigint not null references organisations (id) on delete cascade,
  starts_on date not null,
  tariff_id bigint references tariffs (id),
  primary key (org_id, starts_on)
);
create index org_tariffs_tariff_idx on org_tariffs (tariff_id);
