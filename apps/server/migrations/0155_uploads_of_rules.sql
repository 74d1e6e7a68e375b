-- Files of rules are read first and taken when the rule is saved, as those of transfers and of SIM info are.
alter table uploads
  drop constraint uploads_kind_check,
  add constraint uploads_kind_check check (kind in ('transfer', 'info', 'rule-sims', 'rule-imeis'));
