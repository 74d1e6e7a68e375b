-- What of ended tasks is past its time is found every hour: the tasks, the files of those that have one, what undoing needs.
create index tasks_ended_idx on tasks (ended_at) where ended_at is not null;
create index tasks_files_idx on tasks (ended_at) where report_bytes is not null;
create index tasks_undoable_idx on tasks (ended_at) where undoable > 0;
