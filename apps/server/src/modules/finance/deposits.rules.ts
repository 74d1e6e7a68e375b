/** Payments that count for deposits: those into them, and those for bills that are taken off them. */
export const depositPayments = `(select p.* from bill_payments p where p.serial is null or exists (
  select from bills d where d.serial = p.serial and d.type = 'predeposit')) as p`;

/**
 * What a deposit currently lacks for a bill (b) that is taken off it, after the paid bills and, until the bill
 * itself is paid, those of earlier months. Zero or negative if it covers the bill.
 */
export const shortfallMinor = `((select coalesce(sum(o.total_minor), 0) from bills o
    where o.org_id = b.org_id and o.currency = b.currency and o.type = 'predeposit'
      and (o.status = 'paid' or b.status <> 'paid' and o.status = 'published' and o.month_on <= b.month_on))
  - (select coalesce(sum(p.amount_minor), 0) from ${depositPayments} where p.org_id = b.org_id and p.currency = b.currency))`;

const paidMinor = '(select coalesce(sum(amount_minor), 0) from bill_payments where serial = b.serial)';

/** Whether payments cover a published or paid bill (b), directly or through its deposit. */
export const isCovered = `case when b.type = 'predeposit' then ${shortfallMinor} <= 0 else ${paidMinor} >= b.total_minor end`;

/** The day of the latest payment that counts for a bill (b), directly or through its deposit; null without payments. */
export const lastPaymentOn = `case when b.type = 'predeposit' then (
    select max(p.paid_on) from ${depositPayments} where p.org_id = b.org_id and p.currency = b.currency and p.amount_minor > 0)
  else (select max(paid_on) from bill_payments where serial = b.serial and amount_minor > 0) end`;

/**
 * The amount still to be paid for a published bill (b); if it is taken off a deposit, what the deposit lacks
 * for this bill and not for earlier ones.
 */
export const openMinor = `case when b.type = 'predeposit' then (
    select greatest(l.minor, 0) - greatest(l.minor - b.total_minor, 0) from (select ${shortfallMinor} as minor) as l)
  else b.total_minor - ${paidMinor} end`;
