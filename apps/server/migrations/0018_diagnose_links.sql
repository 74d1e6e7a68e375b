-- How many reports an organisation shares now; and they go with it.
create index diagnose_links_org_idx on diagnose_links (org_id, expires_at);
