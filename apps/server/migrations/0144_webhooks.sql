-- Developers' webhooks: targets of a kind of their own, which end with the account's membership.
alter table notification_targets
  drop constraint notification_targets_kind_check,
  add constraint notification_targets_kind_check check (kind in ('email', 'sms', 'api', 'webhook')),
  -- Of a webhook: whose it is.
  add column account_id uuid,
  add constraint notification_targets_account_check check ((kind = 'webhook') = (account_id is not null)),
  add constraint notification_targets_account_fkey foreign key (org_id, account_id)
    references memberships (org_id, user_id) on delete cascade;
create unique index notification_targets_account_key on notification_targets (org_id, account_id)
  where account_id is not null;

create table webhooks (
  target_id bigint primary key references notification_targets (id) on delete cascade,
  -- Since when it is on; null: off. By the clock of the database, as facts are.
  enabled_at timestamptz
);
-- The types of events that were chosen, each from then on.
create table webhook_types (
  target_id bigint not null references webhooks (target_id) on delete cascade,
  type text not null,
  since timestamptz not null,
  primary key (target_id, type)
);

alter table notifications
  -- What requests carry, where it is not made of kind and fields.
  add column body text,
  -- What an event is about, as it is looked for: an ICCID, the id of a pool, the reference of a task.
  add column about_kind text,
  add column about text;
create index notifications_about_idx on notifications (org_id, about) where about is not null;

alter table deliveries
  -- When it was last sent again by hand: its time and its attempts count from there.
  add column resent_at timestamptz,
  add column attempts_before integer not null default 0;
create index deliveries_target_at_idx on deliveries (target_id, created_at, id);
drop index deliveries_target_idx;
-- What most deliveries are not.
create index deliveries_failed_idx on deliveries (target_id, created_at, id) where state = 2;

-- Requests of webhooks and what came back, as developers look at them; a partition for each day (UTC).
create table delivery_exchanges (
  delivery_id bigint not null,
  number integer not null,
  at timestamptz not null,
  url text not null,
  request_headers jsonb not null,
  -- Null where nothing came back.
  response_headers jsonb,
  response_body text,
  response_bytes integer,
  response_cut boolean,
  primary key (delivery_id, number, at)
) partition by range (at);
