-- The permission that a task's person needs until it has ended; null if none is required, as for the operator.
alter table tasks add column access jsonb;
