-- What a kept cost is in; null of those that were kept before, until they are computed again.
alter table sim_costs add column currency text;
