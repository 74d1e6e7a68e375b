-- What is usual changes with the day: then each SIM is looked at with its first record of a day.
alter table usage_watches add column daily boolean not null default false;

-- Which firing led to a change of a SIM: by the task that made it.
create index autoflow_firing_actions_task_idx on autoflow_firing_actions (task) where task is not null;
