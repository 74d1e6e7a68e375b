-- Days of the heatmap (cut as the dashboard's), computed from their CDRs by a job. It computes a day again while the number
-- of records that it was computed from differs from the one that intake keeps in org_usage_daily.
create table heatmap_days (
  org_id bigint not null,
  day_on date not null,
  -- -1 when cells were placed since
  records bigint not null,
  computed_at timestamptz not null,
  took_ms integer not null,
  primary key (org_id, day_on)
);

-- SIMs and sessions with usage on a day, each counted once in every row: all of them, and those of a country, of a network
-- and of a radio type. '*' and -1 stand for all; '' is the country of networks of which none is known.
create table heatmap_counts (
  org_id bigint not null,
  day_on date not null,
  country text not null,
  plmn integer not null,
  radio smallint not null,
  sims integer not null,
  sessions integer not null,
  primary key (org_id, day_on, country, plmn, radio)
);

-- Usage by the hexagons in which cells stand (place: cells.hexagon, cut to a resolution of H3). -1 is the hexagon of cells
-- whose place is not known, kept with the coarsest resolution. Network and radio type -1: all of them, where a SIM counts
-- once; in the rows of one network and radio type it counts once in each.
create table heatmap_hexagons (
  org_id bigint not null,
  resolution smallint not null,
  day_on date not null,
  plmn integer not null,
  radio smallint not null,
  hexagon integer not null,
  bytes bigint not null,
  sims integer not null,
  sessions integer not null,
  primary key (org_id, resolution, day_on, plmn, radio, hexagon)
);
