import type { Offers } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { type Customer, customersSql } from '../customers.views.ts';

/** A customer's last computed offers; null before the first. */
export const findOffers = async (sql: Sql, orgId: number): Promise<Offers | null> => {
  const { rows } = await sql.query<{ computed_at: Date; offers: Omit<Offers, 'computed_at'> }>(
    'select computed_at, offers from bill_offers where org_id = $1',
    [orgId],
  );
  return rows[0] ? { computed_at: rows[0].computed_at.toISOString(), ...rows[0].offers } : null;
};

/** Customers whose offers were not computed since an instant, by id. */
export const listOutdated = async (sql: Sql, before: Date): Promise<Customer[]> =>
  (
    await sql.query<Customer>(
      `select c.* from (${customersSql}) as c left join bill_offers o on o.org_id = c.id
       where o.computed_at is null or o.computed_at < $1 order by c.id`,
      [before],
    )
  ).rows;
