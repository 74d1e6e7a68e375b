-- Gateways that may speak RADIUS to us, by address; the secret is sealed with the installation's key.
create table radius_clients (
  id bigint generated always as identity primary key,
  name text not null unique,
  network cidr not null unique,
  sealed_secret bytea not null,
  require_message_authenticator boolean not null default true,
  -- Where Disconnect and CoA go; the source address of its packets when null.
  coa_host inet,
  coa_port integer not null default 3799,
  -- Which attribute carries a rate to this kind of gateway (a dictionary name).
  rate_attribute text not null default 'WISPr-Bandwidth-Max-Down',
  interim_seconds integer not null default 300 check (interim_seconds between 5 and 86400),
  created_at timestamptz not null default now()
);

-- One row per accounting session. No column that each update changes is indexed.
create table radius_sessions (
  sim_id bigint not null,
  -- 53-bit hash of gateway and Acct-Session-Id
  session_key bigint not null,
  org_id bigint not null,
  client_id bigint not null,
  nas text not null,
  -- Where its packets come from: Disconnect and CoA go there unless the gateway's settings say otherwise.
  gateway_address inet not null,
  acct_session_id text not null,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  stopped_at timestamptz,
  terminate_cause text,
  -- Last accepted cumulative volume, from the SIM's side: up = Acct-Input-Octets, down = Acct-Output-Octets
  up_bytes bigint not null,
  down_bytes bigint not null,
  -- Counts every change of the row: intake writes only over the version that it has read.
  updates integer not null default 0,
  -- When the gateway began a new session under an id it had used before; null while it never did.
  reused_at timestamptz,
  ip inet,
  apn text,
  plmn integer,
  radio smallint,
  imei text,
  cell text,
  primary key (sim_id, session_key)
) with (fillfactor = 50);

create index radius_sessions_open_sim_idx on radius_sessions (sim_id) where stopped_at is null;
create index radius_sessions_open_ip_idx on radius_sessions (ip) where stopped_at is null;

-- Recent refusals, for the operator and for diagnosis; bounded by a retention job.
create table radius_rejects (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  client_id bigint,
  sim_id bigint,
  identity text,
  reason text not null
);

-- Fails the transaction unless as many rows were written as were meant to be: another process got there first,
-- and the batch is decided anew. SQLSTATE SC001.
create function expect_rows(what text, written bigint, wanted bigint) returns void language plpgsql as $$
begin
  if written <> wanted then
    raise exception '%: % rows instead of %', what, written, wanted using errcode = 'SC001';
  end if;
end
$$;

create index radius_rejects_sim_idx on radius_rejects (sim_id, at);
create index radius_rejects_at_idx on radius_rejects (at);
