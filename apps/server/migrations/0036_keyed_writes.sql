-- A write with an Idempotency-Key belongs to an organisation as well as to its caller, and is claimed by one attempt at a
-- time. What is remembered from before has no organisation: such keys count as new.
delete from idempotent_requests;

alter table idempotent_requests drop constraint idempotent_requests_pkey;
alter table idempotent_requests rename column user_id to caller_id;
alter table idempotent_requests
  -- Null where the call is about no organisation.
  add column org_id bigint,
  -- The attempt that has the claim; whoever takes over an abandoned one makes a new one.
  add column attempt uuid not null primary key,
  -- Renewed while the attempt runs.
  add column claimed_until timestamptz not null,
  -- Set in the transaction of the work: it is done, whether or not its answer is stored.
  add column done_at timestamptz,
  -- As it was sent: jsonb refuses some characters that JSON may carry.
  alter column answer type json using answer::json,
  add constraint idempotent_requests_key unique nulls not distinct (org_id, caller_id, key);
