-- A user is a person; a membership is that person's account in one organisation.
create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  locale text not null default 'en-US',
  sign_in_count integer not null default 0,
  last_sign_in_at timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null default now()
);

create unique index users_email_key on users (lower(email));

create table memberships (
  user_id uuid not null references users (id) on delete cascade,
  org_id bigint not null references organisations (id) on delete cascade,
  role text not null check (role in ('user', 'operator', 'admin', 'superadmin')),
  is_default boolean not null default false,
  oversight boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (org_id, user_id)
);

create index memberships_user_idx on memberships (user_id);
create unique index memberships_default_key on memberships (user_id) where is_default;

-- Sign-in sessions. The token itself is never stored, only its SHA-256.
create table user_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- Set when it was ended elsewhere; the next call then answers 0502 instead of 401.
  ended_at timestamptz,
  end_reason text,
  address inet,
  user_agent text
);

create index user_sessions_user_idx on user_sessions (user_id);
create index user_sessions_last_used_idx on user_sessions (last_used_at);

-- Failed sign-ins by address, whether or not somebody has it, so that a lock tells nothing about who exists.
-- The key is the SHA-256 of the lower-case address; rows are dropped when they no longer matter.
create table sign_in_failures (
  address_key bytea primary key,
  failures integer not null,
  last_failed_at timestamptz not null,
  locked_until timestamptz
);

create index sign_in_failures_last_idx on sign_in_failures (last_failed_at);
