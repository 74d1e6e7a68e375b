-- Cycles of the month had no tariff when it was last computed: it is computed again until they have one, or the operator lets
-- its bills go.
alter table bill_months add column awaits_tariff boolean not null default false;
