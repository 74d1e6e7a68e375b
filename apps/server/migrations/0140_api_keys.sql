-- Keys that programs sign their calls with (specification, section 3: API key). Of the pair only the public half is stored.
create table api_keys (
  -- The signatures' keyid.
  id uuid primary key,
  org_id bigint not null,
  user_id uuid not null,
  name text,
  -- SubjectPublicKeyInfo, DER.
  public_key bytea not null,
  bits integer not null,
  -- Null: all rights of the account.
  rights jsonb,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  -- Keys are an account's, and end with it.
  foreign key (org_id, user_id) references memberships (org_id, user_id) on delete cascade
);
create index api_keys_account_idx on api_keys (org_id, user_id, created_at desc, id);

-- Nonces of accepted signatures, kept until their signatures count no longer.
create table api_key_nonces (
  key_id uuid not null,
  nonce text not null,
  kept_until timestamptz not null,
  primary key (key_id, nonce)
);
create index api_key_nonces_kept_idx on api_key_nonces (kept_until);
