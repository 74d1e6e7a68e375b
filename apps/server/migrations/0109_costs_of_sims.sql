-- Lists find and sort SIMs by what their running cycles have cost, as it was last computed: in millionths of the tariff's
-- currency, so that amounts compare whatever their minor units; -1 without a price. No record changes it.
alter table sim_live add column cost_micros bigint not null default -1;
create index sim_live_cost_idx on sim_live (org_id, cost_micros, sim_id);

-- What that figure was computed from: while nothing here differs from the live state, it stands.
create table sim_costs (
  sim_id bigint primary key,
  org_id bigint not null,
  cycle_started_at timestamptz,
  limit_bytes bigint,
  extra_bytes bigint not null,
  used_bytes bigint not null,
  -- Usage up to which the cost stays the same; none: whatever the usage.
  stands_to_bytes bigint
);
