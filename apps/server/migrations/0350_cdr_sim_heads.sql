-- The SIMs with the most usage of two, four and sixteen days (UTC) of an organisation, beside the packs of single days and of
-- eight: a question of many days reads few of these instead of the heads of all its days.
create table cdr_sim_heads (
  org_id bigint not null,
  days smallint not null check (days in (2, 4, 16)),
  starts_at timestamptz not null,
  -- As in cdr_sim_counts.
  head bytea not null,
  rest_bytes bigint not null,
  -- The transactions that wrote the packs of these days, the earliest day first: where others have written them since, it is of
  -- other records than they are.
  made_of bigint[] not null,
  primary key (org_id, days, starts_at)
);
-- Packed already.
alter table cdr_sim_heads alter head set storage external;
