-- Mobile networks of the world. plmn = mcc * 1000 + mnc (numeric): a two-digit and a three-digit
-- spelling of the same code fall together, because gateways write both.
create table networks (
  plmn integer primary key,
  mcc text not null,
  mnc text not null,
  operator text,
  country char(2)
);
