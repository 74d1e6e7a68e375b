-- Cells with usage of an organisation, and on which days (cut as the dashboard's) of a month: bit 0 is its first. However
-- long a period is, a cell counts once in it.
create table heatmap_cells (
  org_id bigint not null,
  month date not null,
  plmn integer not null,
  radio smallint not null,
  cell text not null,
  days integer not null,
  primary key (org_id, month, plmn, radio, cell)
);

-- Days that are computed already lack their cells.
update heatmap_days set records = -1;
