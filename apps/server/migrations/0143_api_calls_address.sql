-- What the server saw, whatever a proxy made of it: one odd address must not keep the calls beside it from being stored.
alter table api_calls alter column address type text using host(address);
