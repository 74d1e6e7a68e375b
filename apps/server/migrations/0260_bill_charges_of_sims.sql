-- What all cycles of a SIM are of a line, with the first of them: the SIMs of a line in the order of what they cost.
alter table bill_charges add column sim_quantity bigint;
update bill_charges c set sim_quantity = s.quantity
from (select bill_id, line, sim_id, min(cycle_started_at) as first, sum(quantity) as quantity from bill_charges group by 1, 2, 3) as s
where (c.bill_id, c.line, c.sim_id, c.cycle_started_at) = (s.bill_id, s.line, s.sim_id, s.first);
create index bill_charges_amount_idx on bill_charges (bill_id, line, sim_quantity, sim_id) where sim_quantity is not null;
