-- Parts that the network refused or that were never sent, returned to the quotas. Null: none, or a message that failed before this
-- was counted; of that one all parts that the network did not accept.
alter table sms_messages add column unsent_parts smallint;
