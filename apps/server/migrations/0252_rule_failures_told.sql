-- When the owner of the rule was last notified that its actions fail: one that fails for each of many SIMs fills no mailbox.
alter table autoflow_rules add column told_at timestamptz;
