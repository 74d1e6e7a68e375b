-- Each firing is written once and ends once, its actions too: where there is room in its page, no index is written again.
alter table autoflow_firings set (fillfactor = 50);
alter table autoflow_firing_actions set (fillfactor = 50);
alter table delivery_attempts set (fillfactor = 50);

-- The one statement that removes firings removes their actions.
alter table autoflow_firing_actions drop constraint autoflow_firing_actions_firing_id_fkey;

-- Waits for others with which it goes out as one message: few actions do, so only these are in an index.
alter table autoflow_firing_actions add column gathered boolean not null default false;
update autoflow_firing_actions set gathered = true where state = 0;
-- A server of the version before does not say which they are.
alter table autoflow_firing_actions alter column gathered set default true;
drop index autoflow_firing_actions_waiting_idx;
create index autoflow_firing_actions_gathered_idx on autoflow_firing_actions (firing_id) where gathered;
