-- What an organisation demands of its people, how large it may grow, and what its SMS quota is.
alter table organisations
  -- Bills go to this name: it can't be edited.
  add column settlement boolean not null default false,
  add column sms_quota_kind text not null default 'inherit'
    check (sms_quota_kind in ('inherit', 'unlimited', 'none', 'custom')),
  add column sms_quota_messages integer check (sms_quota_messages > 0),
  add column seat_limit integer check (seat_limit >= 0),
  add column sub_organisation_limit integer check (sub_organisation_limit >= 0),
  add column two_factor_required boolean not null default false,
  add column session_idle_hours integer not null default 12 check (session_idle_hours > 0),
  add column session_hours integer not null default 168 check (session_hours > 0),
  add column allowed_networks cidr[] not null default '{}',
  add constraint organisations_sms_quota_check
    check ((sms_quota_kind = 'custom') = (sms_quota_messages is not null));

-- Legally registered names are told apart within one parent, without regard to case.
create unique index organisations_name_key on organisations (coalesce(parent_id, 0), lower(name));

alter table memberships
  add column disabled_at timestamptz,
  -- Rights changed for this account alone: key → actions that take the place of the role's.
  add column permission_changes jsonb not null default '{}',
  add column permission_name text;

alter table users
  -- Sealed with the installation's key; two-factor counts from its confirmation on.
  add column totp_secret bytea,
  add column totp_enabled_at timestamptz,
  -- The time step of the last code accepted: none is taken twice (RFC 6238, 5.2).
  add column totp_last_step bigint;

create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Tokens are stored as their SHA-256 only. An invitation past its end counts as none.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  org_id bigint not null references organisations (id) on delete cascade,
  email text not null,
  first_name text not null default '',
  last_name text not null default '',
  locale text not null,
  role text not null check (role in ('user', 'operator', 'admin', 'superadmin')),
  oversight boolean not null default false,
  token_hash bytea not null unique,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
  invited_by uuid references users (id) on delete set null,
  -- Hash of a first password that an admin set, for somebody whom nobody knew.
  password_hash text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
);

create unique index invitations_pending_key on invitations (org_id, lower(email)) where status = 'pending';
create index invitations_email_idx on invitations (lower(email)) where status = 'pending';

create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create index password_resets_user_idx on password_resets (user_id);
create index password_resets_expires_idx on password_resets (expires_at);

-- One-time codes that were mailed after failed sign-ins, by the SHA-256 of the lower-case address.
create table mailed_codes (
  address_key bytea primary key,
  code_hash bytea not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null
);

-- Attempts are counted by what is guessed and by who guesses: the person's address, and the network address.
alter table sign_in_failures add column kind text not null default 'email' check (kind in ('email', 'network', 'user'));
-- The first of the failures that are counted: those of a network are forgotten together.
alter table sign_in_failures add column began_at timestamptz not null default now();
alter table sign_in_failures drop constraint sign_in_failures_pkey;
alter table sign_in_failures add primary key (kind, address_key);
