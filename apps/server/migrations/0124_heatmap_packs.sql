-- Usage by hexagon, packed: a row for all hexagons of a day, or of eight days that are over, instead of one for each. A view
-- of a month reads a tenth of what it read, and a hexagon takes about nine bytes instead of 160.
drop table heatmap_hexagons;
create table heatmap_hexagons (
  org_id bigint not null,
  resolution smallint not null,
  -- How many days are added up, from day_on on.
  days smallint not null check (days in (1, 8)),
  day_on date not null,
  -- -1: all of them, where a SIM counts once on a day; in the rows of one network and radio type it counts once in each.
  plmn integer not null,
  radio smallint not null,
  packed bytea not null,
  primary key (org_id, resolution, days, day_on, plmn, radio)
);
-- Packed already.
alter table heatmap_hexagons alter packed set storage external;
-- All days are computed again.
update heatmap_days set records = -1;
