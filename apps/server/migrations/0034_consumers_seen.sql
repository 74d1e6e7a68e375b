-- When a running process last defined the consumer: one that nobody defines any more must not hold the trimming up.
alter table outbox_cursors add column seen_at timestamptz not null default now();
