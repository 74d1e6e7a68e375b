-- What a bill came to when it was last computed again from the records.
create table bill_checks (
  bill_id bigint primary key,
  checked_at timestamptz not null,
  lines integer not null,
  late integer not null,
  -- What is not as it was billed: [{what, billed, computed}].
  mismatches jsonb not null
);

-- Who is paid, and how, as bills say it: one row at most.
create table bill_payee (
  id boolean primary key default true check (id),
  name text not null,
  address text not null,
  country char(2) not null,
  registration text not null,
  iban text not null,
  bic text not null,
  bank text not null
);
