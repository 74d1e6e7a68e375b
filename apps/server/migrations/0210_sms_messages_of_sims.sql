-- Messages of some SIMs are listed and counted by the key alone, whose they are too: those of ten SIMs are spread over as many
-- pages of the table as there are messages.
alter table sms_messages drop constraint sms_messages_pkey;
alter table sms_messages add primary key (sim_id, at, id) include (org_id);
