-- A note of what a node was given is kept for a while after its entry is complete: another process may still be about to
-- give the node the same.
alter table written_histories add column written_at timestamptz not null default now();
