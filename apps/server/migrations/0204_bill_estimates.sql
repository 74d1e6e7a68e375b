-- What the running month of a settlement customer is likely to come to, as it was last computed.
create table bill_estimates (
  org_id bigint primary key references organisations (id) on delete cascade,
  -- The first day of the month (UTC+8).
  month_on date not null,
  computed_at timestamptz not null,
  -- As the contract's estimate has it, but for month and time.
  estimate jsonb not null
);
