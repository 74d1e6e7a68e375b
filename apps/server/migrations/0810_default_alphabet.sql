-- What data_coding 0 means at an SMSC (SMPP 3.4, 5.2.19).
alter table smsc_connections
  add column default_alphabet text not null default 'gsm7' check (default_alphabet in ('gsm7', 'latin1', 'ascii'));
