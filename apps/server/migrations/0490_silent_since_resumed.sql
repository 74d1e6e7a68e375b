-- Rules on silence find SIMs that have been active again for so many hours, and were not heard of since.
create index sims_active_since_idx on sims (org_id, lifecycle_changed_at, id) where lifecycle = 23;
