import { makeBundle } from '../../inventory.ts';
import type { References, Sides } from './references.ts';

/** A pending order of each SIM; the foreign one's bundle is not among one's own. */
export const bundleReferences = async ({
  test,
  own,
  foreign,
  sims,
}: Sides): Promise<Pick<References, 'orderId' | 'bundleCode'>> => {
  const { pool } = test.database;
  const orderOf = async (code: string, { simId, orgId }: { simId: number; orgId: number }) => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status, ordered_at)
       values ($1, $2, $3, 'pending', '2026-11-01') returning id::text`,
      [simId, orgId, await makeBundle(pool, { code })],
    );
    return rows[0]?.id;
  };
  const ownOrder = await orderOf('own-bundle', { simId: sims.own.id, orgId: own.id });
  const foreignOrder = await orderOf('foreign-bundle', { simId: sims.foreign.id, orgId: foreign.id });
  return {
    orderId: { own: () => ownOrder, foreign: foreignOrder },
    bundleCode: { own: () => 'own-bundle', foreign: 'foreign-bundle' },
  };
};
