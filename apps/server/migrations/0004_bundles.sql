-- The catalogue of the operator.
create table bundles (
  id bigint generated always as identity primary key,
  code text not null unique,
  name text not null,
  sku text not null,
  type text not null check (type in (
    'test plan', 'prepaid basic', 'prepaid supplementary',
    'postpaid flow', 'postpaid bundle', 'postpaid shared')),
  quota_bytes bigint check (quota_bytes >= 0),
  overage_policy text not null check (overage_policy in (
    'stop', 'billing', 'billing and slow down', 'billing and threshold', 'billing then stop after')),
  out_of_coverage_policy text not null default 'not applicable'
    check (out_of_coverage_policy in ('billing', 'shut down', 'not applicable')),
  reset_cycle text not null check (reset_cycle in ('day', '24h day', 'month', 'full month', 'full year')),
  -- Speed after the quota under "billing and slow down".
  slow_kbps integer check (slow_kbps in (128, 256)),
  duration_days integer,
  created_at timestamptz not null default now()
);

alter table sims add constraint sims_bundle_fkey foreign key (bundle_id) references bundles (id);

-- A bundle on a SIM (the specification's "service").
create table bundle_orders (
  id bigint generated always as identity primary key,
  sim_id bigint not null references sims (id),
  org_id bigint not null references organisations (id),
  bundle_id bigint not null references bundles (id),
  status text not null check (status in ('pending', 'in use', 'expired', 'cancelled')),
  sales_order_id text,
  ordered_at timestamptz not null default now(),
  activated_at timestamptz,
  expires_at timestamptz
);

create index bundle_orders_sim_idx on bundle_orders (sim_id, status);
create index bundle_orders_org_idx on bundle_orders (org_id, id);
create index bundle_orders_ending_idx on bundle_orders (expires_at) where status = 'in use';
