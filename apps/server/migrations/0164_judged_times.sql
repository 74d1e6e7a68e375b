-- Up to when an organisation's rules on time have been judged, so that each run looks at what has come due since.
create table autoflow_judged_times (
  org_id bigint not null references organisations (id) on delete cascade,
  kind text not null,
  judged_until timestamptz not null,
  ran_at timestamptz not null,
  -- Since when it has run without a gap: a SIM is not silent because nobody listened.
  running_since timestamptz not null,
  primary key (org_id, kind)
);

-- Pre-activated SIMs of an organisation by the end of their period.
create index sims_org_pre_activation_idx on sims (org_id, pre_activation_ends_at, id)
  where lifecycle = 10 and not pre_activation_over;
