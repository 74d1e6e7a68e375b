-- The API key that ordered a task: one with fewer rights than its account sees its own tasks alone.
alter table tasks add column key_id uuid;
