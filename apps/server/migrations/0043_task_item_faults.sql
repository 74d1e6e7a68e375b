-- What is wrong with which values of an item that was refused for its own: the report says it in the reader's words.
alter table task_items add column faults jsonb;
