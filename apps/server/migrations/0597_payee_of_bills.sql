-- Whom a bill was to be paid to as it was issued: an invoice that was sent says the same later. Null of drafts, and of what was issued
-- while the operator had not said it.
alter table bills add column payee jsonb;
update bills set payee = (
  select to_jsonb(p) - 'id' from bill_payee p)
where status <> 'draft';
