-- RADIUS packets that were refused, by source address and reason: for the operator. Nothing of their contents; bounded
-- in number by whoever writes them.
create table radius_refused_packets (
  address text not null,
  reason text not null,
  packets bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (address, reason)
);
