-- The sweep's question, every minute: which running cycles are over their limit, and which counters wait for a judgement. Both
-- are few beside the cycles and counters of years.
create index pool_cycles_over_idx on pool_cycles (ends_at) where over_at is not null;
create index pool_counters_unjudged_idx on pool_counters (cycle_started_at, pool_id) where wake_bytes is null;
