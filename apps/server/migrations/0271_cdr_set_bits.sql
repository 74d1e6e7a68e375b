-- SIMs and sessions of a day as bits, where they are dense: days are united word by word. Null where they are not, and of hours.
alter table cdr_counts add column sim_bits bytea, add column session_bits bytea;
-- Packed already.
alter table cdr_counts alter sim_bits set storage external, alter session_bits set storage external;
