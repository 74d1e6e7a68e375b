-- Targets of the organisation's notifications that messages of its SIMs are forwarded to.
alter table sms_services add column forward_to bigint[] not null default '{}';
