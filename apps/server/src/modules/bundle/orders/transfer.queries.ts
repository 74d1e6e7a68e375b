import { int8Column, type Sql } from '../../../platform/db/index.ts';

/** The orders of SIMs that were transferred go with them. */
export const moveOrders = async (
  tx: Sql,
  { simIds, orgId }: { simIds: readonly number[]; orgId: number },
): Promise<void> => {
  await tx.query('update bundle_orders set org_id = $2 where sim_id = any($1::bigint[])', [simIds, orgId]);
};

/** Those of the SIMs that have, or wait for, an order that draws on a shared pool. */
export const findSharing = async (tx: Sql, simIds: readonly number[]): Promise<Map<number, boolean>> => {
  const { rows } = await tx.query<[number]>({
    text: `select distinct o.sim_id from bundle_orders o join bundles b on b.id = o.bundle_id
           where o.sim_id = any($1::bigint[]) and o.status in ('pending', 'in use') and b.type = 'postpaid shared'`,
    values: [int8Column(simIds, (simId) => simId)],
    rowMode: 'array',
  });
  return new Map(rows.map(([simId]) => [simId, true]));
};
