/** What counts for deposits: what was paid in to them, and for bills that are taken off them. */
export const depositPayments = `(select p.* from bill_payments p where p.serial is null or exists (
  select from bills d where d.serial = p.serial and d.type = 'predeposit')) as p`;

/**
 * What a deposit lacks by now for a bill (b) that is taken off it: with those that are paid and, until it is paid itself, those of
 * months before. Nothing and less where it covers the bill.
 */
export const lackedMinor = `((select coalesce(sum(o.total_minor), 0) from bills o
    where o.org_id = b.org_id and o.currency = b.currency and o.type = 'predeposit'
      and (o.status = 'paid' or b.status <> 'paid' and o.status = 'published' and o.month_on <= b.month_on))
  - (select coalesce(sum(p.amount_minor), 0) from ${depositPayments} where p.org_id = b.org_id and p.currency = b.currency))`;

const paidMinor = '(select coalesce(sum(amount_minor), 0) from bill_payments where serial = b.serial)';

/** Whether payments cover a published or paid bill (b), or those of its deposit. */
export const isCovered = `case when b.type = 'predeposit' then ${lackedMinor} <= 0 else ${paidMinor} >= b.total_minor end`;

/** What is to be paid of a published bill (b): of one that is taken off a deposit what that lacks for it and not for those before. */
export const openMinor = `case when b.type = 'predeposit' then (
    select greatest(l.minor, 0) - greatest(l.minor - b.total_minor, 0) from (select ${lackedMinor} as minor) as l)
  else b.total_minor - ${paidMinor} end`;
