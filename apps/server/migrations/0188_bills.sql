-- How a settlement customer pays; without a row by post-payment.
create table settlement_terms (
  org_id bigint primary key references organisations (id) on delete cascade,
  -- The type of the bills of a month's charges; prepaid orders are on bills of their own.
  terms text not null check (terms in ('post-payment', 'credit', 'predeposit')),
  -- In minor units of the bills' currency.
  credit_limit_minor bigint check (credit_limit_minor >= 0)
);

-- What was done for a settlement customer's month. Its row is locked by whoever drafts, publishes or reissues.
create table bill_months (
  org_id bigint not null references organisations (id),
  -- The first day of the month (UTC+8).
  month_on date not null,
  drafted_at timestamptz,
  published_at timestamptz,
  primary key (org_id, month_on)
);

create sequence bill_serials;

-- Versions of one bill share their serial. Of a serial one version at most is published or paid.
create table bills (
  id bigint generated always as identity primary key,
  serial bigint not null,
  version smallint not null default 1,
  org_id bigint not null references organisations (id),
  month_on date not null,
  type text not null check (type in ('post-payment', 'advance', 'credit', 'predeposit')),
  currency char(3) not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'paid', 'obsolete')),
  -- The sum of the lines, in minor units.
  total_minor bigint not null default 0,
  computed_at timestamptz not null,
  issued_at timestamptz,
  due_on date,
  paid_on date,
  -- Why a draft waits for the operator, and whether the operator has let it go.
  held_reason text,
  released boolean not null default false,
  -- Why this version replaces the one before, and the tariff that it is charged by instead of the organisations' own.
  reissue_reason text,
  tariff_id bigint references tariffs (id),
  -- Of a credit: the limit, and what open bills left of it.
  credit_limit_minor bigint,
  credit_left_minor bigint,
  -- Of a predeposit: the balance as the month began, and what was paid in.
  opening_minor bigint,
  top_up_minor bigint,
  unique (serial, version),
  unique (org_id, month_on, type, currency, version),
  check ((status = 'draft') = (issued_at is null))
);
create index bills_order_idx on bills (org_id, month_on, id);
create index bills_open_idx on bills (org_id) where status = 'published';

-- Lines keep the names and prices of their day: a bill never changes with the catalogue.
create table bill_lines (
  bill_id bigint not null references bills (id) on delete cascade,
  line integer not null,
  -- The organisation whose section it is in.
  org_id bigint not null,
  kind text not null,
  -- Of a correction: the month that it corrects.
  corrects_on date,
  bundle_code text,
  bundle_name text,
  zone_code text,
  zone_name text,
  pool_id bigint,
  pool_name text,
  -- Of a pool: when its cycle began.
  pool_cycle_at timestamptz,
  tariff_version_id bigint not null references tariff_versions (id),
  tariff_code text not null,
  tariff_name text not null,
  tariff_starts_on date not null,
  quantity bigint not null,
  unit text not null,
  bytes bigint,
  price_micros bigint not null,
  amount_minor bigint not null,
  primary key (bill_id, line)
);
create index bill_lines_pool_idx on bill_lines (org_id) where pool_id is not null;

-- What of a line each SIM's cycle is; the quantities of a line's cycles add up to the line's.
create table bill_charges (
  bill_id bigint not null,
  line integer not null,
  sim_id bigint not null,
  cycle_started_at timestamptz not null,
  quantity bigint not null,
  bytes bigint,
  primary key (bill_id, line, sim_id, cycle_started_at)
);
create index bill_charges_sim_idx on bill_charges (sim_id, bill_id);

-- The usage that SIMs' cycles were billed for; where it is another later on, the difference is a correction.
create table bill_cycles (
  sim_id bigint not null,
  cycle_started_at timestamptz not null,
  -- Whose section, and the month and settlement customer that it was billed in.
  org_id bigint not null,
  month_on date not null,
  customer_id bigint not null,
  used_bytes bigint not null,
  limit_bytes bigint,
  primary key (sim_id, cycle_started_at, org_id, month_on)
);
create index bill_cycles_month_idx on bill_cycles (customer_id, month_on);

-- Recorded by the operator, each known by its reference. Without a bill it is paid in to a deposit.
create table bill_payments (
  id bigint generated always as identity primary key,
  org_id bigint not null references organisations (id),
  serial bigint,
  currency char(3) not null,
  amount_minor bigint not null check (amount_minor <> 0),
  paid_on date not null,
  reference text not null,
  recorded_at timestamptz not null,
  unique (org_id, reference)
);
create index bill_payments_serial_idx on bill_payments (serial) where serial is not null;

-- SIMs that an organisation had until lately are on its bills.
create index sim_ownerships_org_idx on sim_ownerships (org_id, until);
