-- Where another bundle or a pool would have been cheaper for a settlement customer, as it was last computed.
create table bill_offers (
  org_id bigint primary key references organisations (id) on delete cascade,
  computed_at timestamptz not null,
  -- As the contract's offers have it, but for the time.
  offers jsonb not null
);
