-- Customers rename pools; the operator's catalogue file and commands still find them by the names that they had.
alter table pools add column former_names text[] not null default '{}';
