/** What counts for deposits: what was paid in to them, and for bills that are taken off them. */
export const depositPayments = `(select p.* from bill_payments p where p.serial is null or exists (
  select from bills d where d.serial = p.serial and d.type = 'predeposit')) as p`;

/** What is to be paid of a published bill (b), of which p.paid was: what its deposit had covers a part of it. */
export const openMinor = `greatest(b.total_minor - coalesce(p.paid, 0)
  - case when b.type = 'predeposit' then greatest(b.opening_minor + b.top_up_minor, 0) else 0 end, least(b.total_minor, 0))`;
