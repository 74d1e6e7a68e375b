-- A token for a download that an API key asked for ends with the key.
alter table download_tokens add column key_id uuid references api_keys (id) on delete cascade;
create index download_tokens_key_idx on download_tokens (key_id) where key_id is not null;
