-- Parts that the gateway has claimed: what may have been written to a connection, and of which is not stored yet what became
-- of it. One row for each claim, so that the parts themselves are not written for it.
create table sms_claims (
  id bigint generated always as identity primary key,
  part_ids bigint[] not null
);
-- Which gateway may claim: one that another has taken over from has a former epoch.
create table sms_gateway (
  only_one boolean primary key default true check (only_one),
  epoch bigint not null
);
insert into sms_gateway (epoch) values (0);

insert into sms_claims (part_ids)
select array_agg(id) from sms_parts where state = 1 having count(*) > 0;
update sms_parts set state = 0 where state = 1;
drop index sms_parts_submitting_idx;
comment on column sms_parts.state is
  '0 waiting, or claimed when sms_claims has it; 2 submitted, 3 unanswered, 4 without a receipt in time';
