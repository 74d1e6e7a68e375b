-- Tests of an organisation in an hour are counted, whatever became of their targets.
create index notifications_tests_idx on notifications (org_id, created_at) where kind in ('test', 'autoflow.tried');
