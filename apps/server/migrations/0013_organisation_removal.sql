-- What is derived from an organisation's SIMs goes with it. SIMs, bundle orders and sub-organisations do not: as long as
-- there is one, the organisation can't be deleted.
alter table org_sim_counts
  drop constraint org_sim_counts_org_id_fkey,
  add constraint org_sim_counts_org_id_fkey foreign key (org_id) references organisations (id) on delete cascade;
alter table org_daily_figures
  drop constraint org_daily_figures_org_id_fkey,
  add constraint org_daily_figures_org_id_fkey foreign key (org_id) references organisations (id) on delete cascade;
alter table org_usage_rank
  drop constraint org_usage_rank_org_id_fkey,
  add constraint org_usage_rank_org_id_fkey foreign key (org_id) references organisations (id) on delete cascade;
