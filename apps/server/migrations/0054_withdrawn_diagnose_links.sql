-- A link can be named without what opens it, and withdrawn: until its end it says so, and its report is gone.
alter table diagnose_links
  add column id bigint generated always as identity unique,
  add column made_at timestamptz,
  add column withdrawn_at timestamptz,
  alter column report drop not null;
update diagnose_links set made_at = expires_at - interval '72 hours';
alter table diagnose_links alter column made_at set not null;
create index diagnose_links_sim_idx on diagnose_links (sim_id, org_id);
