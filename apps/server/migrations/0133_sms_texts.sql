-- Messages to phones that are no SIMs: notifications. Their parts wait beside those of SIMs, under numbers of one sequence,
-- with `sms_parts.sim_id` null. A row is kept as long as receipts are matched.
create table sms_texts (
  id bigint primary key,
  at timestamptz not null,
  org_id bigint not null,
  -- Under which the sender hears what became of it.
  reference text not null,
  phone text not null,
  -- The sender's address; null: that of the connection.
  address text,
  content text not null,
  parts smallint not null,
  delivered_parts smallint not null default 0,
  failed_at timestamptz,
  -- The organisations whose quotas it was taken off.
  charged_org_ids bigint[] not null
);
create index sms_texts_at_idx on sms_texts (at);
alter table sms_parts alter column sim_id drop not null;
