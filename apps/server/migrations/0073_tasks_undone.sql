-- What a task changed can be undone by a task of its own, as long as this is known: how many of its items it changed.
alter table tasks
  add column undoable integer not null default 0,
  -- The task that this one undoes.
  add column undoes bigint references tasks (id) on delete set null;
-- Of two that come together, one undoes it.
create unique index tasks_undoes_key on tasks (undoes) where undoes is not null;

-- What an item was before, as far as the operation changed it: what undoing gives back to it.
alter table task_items add column before jsonb;
