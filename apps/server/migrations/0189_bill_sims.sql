-- What each SIM is of a bill, over all lines, in millionths of its currency.
create table bill_sims (
  bill_id bigint not null,
  sim_id bigint not null,
  amount_micros bigint not null,
  primary key (bill_id, sim_id)
);
create index bill_sims_amount_idx on bill_sims (bill_id, amount_micros, sim_id);
