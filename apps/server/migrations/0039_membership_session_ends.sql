-- An admin ends somebody's sessions in the own organisation only: those that began up to then don't count there any more.
alter table memberships add column sessions_ended_at timestamptz;
