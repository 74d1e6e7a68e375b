-- Messages to SIMs (MT) and from them (MO). A row belongs to the organisation that had the SIM then.
create table sms_messages (
  sim_id bigint not null,
  at timestamptz not null,
  id bigint generated always as identity,
  org_id bigint not null,
  mobile_originated boolean not null,
  scheduled boolean not null default false,
  -- 0 processing, 1 sent, 2 delivered, 3 failed, 4 unknown; 5 of an MO
  status smallint not null,
  reason text,
  network_code text,
  -- The SIM's number then, and the other end's: an organisation's sender address, or what the device sent to.
  msisdn text not null,
  address text,
  content text not null,
  -- 0 GSM 7-bit, 1 UCS-2, 2 Latin-1, 3 binary (hexadecimal)
  encoding smallint not null,
  parts smallint not null,
  missing_parts smallint not null default 0,
  -- Parts that the network has accepted, and delivered.
  sent_parts smallint not null default 0,
  delivered_parts smallint not null default 0,
  sent_at timestamptz,
  settled_at timestamptz,
  reply_to_at timestamptz,
  reply_to_id bigint,
  task text,
  sent_by text,
  -- The organisations whose quotas it was taken off.
  charged_org_ids bigint[] not null default '{}',
  primary key (sim_id, at, id)
) partition by range (at);
create index sms_messages_org_idx on sms_messages (org_id, at, id);
create index sms_messages_received_idx on sms_messages (org_id, at, id) where mobile_originated;
-- What most messages are not.
create index sms_messages_undelivered_idx on sms_messages (org_id, at, id) include (status)
  where status in (0, 1, 3, 4);

-- What the network has still to be told, and to tell, of messages; a part is gone when its message is settled. 0 waiting,
-- 1 submitting: it may have been sent, 2 submitted, 3 unanswered: nobody knows whether it was sent, 4 without a receipt in
-- time.
create table sms_parts (
  id bigint generated always as identity primary key,
  sim_id bigint not null,
  message_at timestamptz not null,
  message_id bigint not null,
  part smallint not null,
  state smallint not null default 0,
  destination text not null,
  smsc_id text,
  -- The same without case and leading zeros.
  smsc_key text,
  submitted_at timestamptz,
  unique (message_id, part)
) with (fillfactor = 50);
create index sms_parts_waiting_idx on sms_parts (id) where state = 0;
create index sms_parts_submitting_idx on sms_parts (id) where state = 1;
create index sms_parts_key_idx on sms_parts (smsc_key) where smsc_key is not null;
create index sms_parts_destination_idx on sms_parts (destination, id);

-- Receipts that came before the answer to what they are about.
create table sms_early_receipts (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  keys text[] not null,
  -- The number that the message was for.
  address text not null,
  receipt jsonb not null
);
create index sms_early_receipts_keys_idx on sms_early_receipts using gin (keys);
create index sms_early_receipts_received_idx on sms_early_receipts (received_at);

-- Parts of long MO that wait for the others.
create table sms_received_parts (
  source text not null,
  destination text not null,
  -- How the parts are numbered; references of different origins are never of one message.
  origin text not null,
  reference integer not null,
  total smallint not null,
  part smallint not null,
  data_coding smallint not null,
  octets bytea not null,
  received_at timestamptz not null,
  primary key (source, destination, origin, reference, total, part)
);
create index sms_received_parts_received_idx on sms_received_parts (received_at);

-- Who wrote to the operator's addresses and is no SIM.
create table sms_unknown_senders (
  address text primary key,
  messages bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);

-- Parts by month (UTC+8), each message at the organisations whose quotas it was taken off.
create table sms_quota_spent (
  org_id bigint not null references organisations (id) on delete cascade,
  month_on date not null,
  parts bigint not null check (parts >= 0),
  primary key (org_id, month_on)
) with (fillfactor = 50);

-- By day (UTC+8), of what the organisation itself sent and received.
create table org_sms_daily (
  org_id bigint not null references organisations (id) on delete cascade,
  day_on date not null,
  mt bigint not null default 0,
  mt_parts bigint not null default 0,
  mo bigint not null default 0,
  primary key (org_id, day_on)
) with (fillfactor = 50);

-- Without a row an organisation may send and receive.
create table sms_services (
  org_id bigint primary key references organisations (id) on delete cascade,
  can_send boolean not null,
  can_receive boolean not null,
  sender text
);

-- The operator's connections to SMSCs (SMPP 3.4). `priority`: the least first.
create table smsc_connections (
  id bigint generated always as identity primary key,
  name text not null unique,
  host text not null,
  port integer not null check (port between 1 and 65535),
  tls boolean not null,
  bind text not null check (bind in ('transceiver', 'transmitter', 'receiver')),
  system_id text not null,
  sealed_password bytea not null,
  system_type text not null,
  sender text,
  priority smallint not null,
  window_size smallint not null check (window_size between 1 and 1000),
  rate_per_second integer check (rate_per_second > 0),
  -- As the process that has it says.
  state text not null default 'closed',
  state_at timestamptz,
  state_error text
);

-- Nothing is sent to the SIM while it is set.
alter table sims add column sms_suspended boolean not null default false;
create index sims_org_sms_suspended_idx on sims (org_id, id) where sms_suspended;
