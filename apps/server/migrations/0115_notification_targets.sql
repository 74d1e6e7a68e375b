-- Everyone and everything that notifications go to: people by email, phones by SMS, programs by signed HTTPS requests.
alter table address_groups rename to notification_targets;
alter table notification_targets rename constraint address_groups_pkey to notification_targets_pkey;
alter index address_groups_name_key rename to notification_targets_name_key;
alter table notification_targets
  drop constraint address_groups_kind_check,
  add constraint notification_targets_kind_check check (kind in ('email', 'sms', 'api')),
  -- Who made it, and hears when it fails.
  add column owner_id uuid references users (id) on delete set null,
  -- Of those it reaches who have no account here.
  add column language text not null default 'en-US',
  -- Nothing is sent any more: it failed for a whole day, or said that it is gone.
  add column paused_at timestamptz,
  add column paused_for text check (paused_for in ('failing', 'gone')),
  add constraint notification_targets_paused_check check ((paused_at is null) = (paused_for is null));

-- Secrets that requests to an API target are signed with, sealed: the newest, and the one before it for a while.
create table target_secrets (
  id bigint generated always as identity primary key,
  target_id bigint not null references notification_targets (id) on delete cascade,
  sealed bytea not null,
  created_at timestamptz not null,
  -- Null for the newest.
  expires_at timestamptz
);
create unique index target_secrets_newest_key on target_secrets (target_id) where expires_at is null;
create index target_secrets_target_idx on target_secrets (target_id);
