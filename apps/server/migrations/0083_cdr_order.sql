-- Lists of an organisation's records are in the order of their ends.
create index cdrs_org_idx on cdrs (org_id, ended_at);
