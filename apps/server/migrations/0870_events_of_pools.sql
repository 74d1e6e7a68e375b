-- The latest events of a pool, and those of one of its cycles, without reading and sorting all others.
create index pool_events_latest_idx on pool_events (pool_id, at, id);
