import type { Offers } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';

export const writeOffers = async (
  sql: Sql,
  orgId: number,
  { computed_at, ...offers }: Offers,
): Promise<void> => {
  await sql.query(
    `insert into bill_offers (org_id, computed_at, offers) values ($1, $2, $3)
     on conflict (org_id) do update set computed_at = excluded.computed_at, offers = excluded.offers`,
    [orgId, computed_at, JSON.stringify(offers)],
  );
};
