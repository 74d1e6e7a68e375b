-- What a consumer has given up is a dead letter, as with jobs. The operator names it by a number of its own, and a retry
-- delivers it as it was: with its organisation and the time at which it was recorded.
alter table outbox_parked rename to dead_lettered_facts;
alter table dead_lettered_facts rename column id to fact_id;
alter table dead_lettered_facts rename column parked_at to dead_lettered_at;
alter table dead_lettered_facts drop constraint outbox_parked_pkey;
alter table dead_lettered_facts
  add column id bigint generated always as identity primary key,
  add column org_id bigint,
  add column recorded_at timestamptz,
  add column attempts integer not null default 8,
  add constraint dead_lettered_facts_fact_key unique (consumer, xact, fact_id);

update dead_lettered_facts letter set org_id = fact.org_id, recorded_at = fact.created_at
  from outbox fact where fact.xact = letter.xact and fact.id = letter.fact_id;
-- Of a fact that was trimmed already only the time of its last attempt is known.
update dead_lettered_facts set recorded_at = dead_lettered_at where recorded_at is null;

alter table dead_lettered_facts
  alter column recorded_at set not null,
  alter column attempts drop default;
