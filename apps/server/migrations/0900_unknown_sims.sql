-- Who sent Access-Requests or accounting and is no SIM here, by gateway and reason: for the operator. An empty identity: the
-- packets named none. Bounded in number by whoever writes them.
create table radius_unknown_sims (
  identity text not null,
  gateway text not null,
  reason text not null,
  packets bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (identity, gateway, reason)
);
