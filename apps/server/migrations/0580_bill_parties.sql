-- What a bill says of its parties, the customer and the organisations that have sections: as they were called when it was issued.
create table bill_parties (
  bill_id bigint not null references bills (id) on delete cascade,
  org_id bigint not null,
  code text not null,
  name text not null,
  country char(2) not null,
  primary key (bill_id, org_id)
);
-- Of bills from before nothing else is known than what they are called now.
insert into bill_parties (bill_id, org_id, code, name, country)
select p.bill_id, o.id, o.code, o.name, o.country
from (select id as bill_id, org_id from bills union select bill_id, org_id from bill_lines) as p
join organisations o on o.id = p.org_id;
