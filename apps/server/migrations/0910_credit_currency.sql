-- The currency of a customer's credit limit (ISO 4217). Null, of limits from before: the number applies to each currency.
alter table settlement_terms add column credit_currency text;
