-- MO that answer an MT, which may be few among all that devices send.
create index sms_messages_replies_idx on sms_messages (org_id, at, id) where reply_to_id is not null;
