-- The id of the call's endpoint, which decides who may read its content; null for unknown paths, and for calls of before.
alter table api_calls add column endpoint text;
