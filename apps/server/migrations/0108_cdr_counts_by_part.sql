-- A filter asks for some parts of a level at many times.
create index cdr_counts_part_idx on cdr_counts (org_id, unit, level, part, starts_at);
