-- While no session is open, statistics say that reading a whole index of open sessions costs nothing, and a plan of that
-- moment reads it for each of fifty thousand that come next. So that open sessions at an address can only be looked up in
-- this index, and those of a SIM only in the other, the two say "open" in different words.
drop index radius_sessions_open_ip_idx;
create index radius_sessions_open_ip_idx on radius_sessions (ip)
  where ip is not null and coalesce(stopped_at, 'infinity'::timestamptz) = 'infinity'::timestamptz;
