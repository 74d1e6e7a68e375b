-- A task works on things of any kind: each item says of which, which of them, and how people call it. The columns get other
-- names, and the new one a constant for the rows there are: no row is written again.
alter table task_items rename column sim_id to ref;
alter table task_items rename column iccid to label;
-- Until now, all were SIMs.
alter table task_items add column kind text not null default 'sim';
alter table task_items alter column kind drop default;

-- A thing waits in one task at most; numbers of things of different kinds may be the same.
drop index task_items_busy_key;
create unique index task_items_busy_key on task_items (ref, kind) where state = 0 and ref is not null;
