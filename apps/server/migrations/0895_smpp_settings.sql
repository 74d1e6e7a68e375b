-- What operators of SMSCs require in binds and submits. Null: TON and NPI by the form of the address.
alter table smsc_connections
  add column service_type text not null default '',
  add column source_ton smallint,
  add column source_npi smallint,
  add column alphanumeric_ton smallint,
  add column alphanumeric_npi smallint,
  add column destination_ton smallint,
  add column destination_npi smallint,
  add column address_range text not null default '',
  add column address_range_ton smallint not null default 0,
  add column address_range_npi smallint not null default 0;
