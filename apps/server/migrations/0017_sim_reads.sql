-- What lists of SIMs and of bundle orders are filtered and sorted by alone.

-- The visited network changes seldom, so updates of live state stay heap-only.
create index sim_live_network_idx on sim_live (org_id, plmn, sim_id);
create index sims_org_apn_idx on sims (org_id, apn, id);
create index sims_org_delivery_idx on sims (org_id, delivery_note_number, id);
create index sims_org_fixed_ip_idx on sims (org_id, fixed_ip) where fixed_ip is not null;
create index sims_org_shipment_idx on sims (org_id, shipment_on, id);
create index sims_org_imei_changed_idx on sims (org_id, imei_changed_at, id) where imei_changed_at is not null;
create index sims_org_card_idx on sims (org_id, technology, chip_grade, id);
create index sims_org_grade_idx on sims (org_id, chip_grade, id);

-- Sort keys without nulls, as those of SIMs: what was never activated comes first, what has no end last.
alter table bundle_orders
  add column activated_key timestamptz not null generated always as (coalesce(activated_at, '-infinity')) stored,
  add column expires_key timestamptz not null generated always as (coalesce(expires_at, 'infinity')) stored;

-- With what is filtered, so that a walk over the order reads the index alone.
create index bundle_orders_ordered_idx on bundle_orders (org_id, ordered_at, id) include (status, bundle_id);
create index bundle_orders_activated_idx on bundle_orders (org_id, activated_key, id) include (status, bundle_id);
create index bundle_orders_expires_idx on bundle_orders (org_id, expires_key, id) include (status, bundle_id);
create index bundle_orders_status_idx on bundle_orders (org_id, status, id) include (bundle_id);
create index bundle_orders_bundle_idx on bundle_orders (org_id, bundle_id, id) include (status);
create index bundle_orders_sales_idx on bundle_orders using gin (org_id, lower(sales_order_id) gin_trgm_ops);
