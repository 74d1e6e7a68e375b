-- What a supplementary order has given in cycles that are over; the rest of its quota is still there.
alter table bundle_orders add column used_bytes bigint not null default 0 check (used_bytes >= 0);

-- The part of the limit that supplementary orders give in the running cycle. What a cycle used of it is gone when the
-- cycle turns: then the limit shrinks by as much.
alter table sim_live add column extra_bytes bigint not null default 0 check (extra_bytes >= 0);

-- The pre-activation period is over and nothing could start: the next order does, at once. The job that ends the
-- periods does not look at the SIM again.
alter table sims add column pre_activation_over boolean not null default false;
drop index sims_pre_activation_due_idx;
create index sims_pre_activation_due_idx on sims (pre_activation_ends_at)
  where lifecycle = 10 and not pre_activation_over;
