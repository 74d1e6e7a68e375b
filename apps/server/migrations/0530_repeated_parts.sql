-- Parts of messages that are stored are known for a while: one that a device or an SMSC sends again begins no message.
alter table sms_received_parts add column state smallint not null default 0;
