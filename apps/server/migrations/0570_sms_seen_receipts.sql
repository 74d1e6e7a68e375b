-- Receipts that were stored lately, by what tells them from others, a row for those of one commit: after a restart one that its SMSC
-- sends again is known.
create table sms_seen_receipts (
  id bigint generated always as identity primary key,
  seen_at timestamptz not null,
  names text[] not null
);
