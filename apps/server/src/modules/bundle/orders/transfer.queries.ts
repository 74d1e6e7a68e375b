import type { Sql } from '../../../platform/db/index.ts';

/** The orders of SIMs that were transferred go with them. */
export const moveOrders = async (
  tx: Sql,
  { simIds, orgId }: { simIds: readonly number[]; orgId: number },
): Promise<void> => {
  await tx.query('update bundle_orders set org_id = $2 where sim_id = any($1::bigint[])', [simIds, orgId]);
};
