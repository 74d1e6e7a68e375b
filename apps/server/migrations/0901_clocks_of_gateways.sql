-- By how much the clocks of gateways are behind, by RADIUS client and NAS: the smallest lag of the last hour, and when it was
-- measured.
create table radius_clocks (
  gateway text not null,
  nas text not null,
  lag_ms bigint not null,
  measured_at timestamptz not null,
  primary key (gateway, nas)
);
