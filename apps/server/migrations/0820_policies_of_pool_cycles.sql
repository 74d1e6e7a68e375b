-- The policy that a shared pool had in a cycle, recorded when the policy changed after it. Null: the policy has not changed since.
alter table pool_cycles add column policy text;
