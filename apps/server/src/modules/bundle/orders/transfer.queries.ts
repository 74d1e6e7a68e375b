import { int8Column, type Sql } from '../../../platform/db/index.ts';

/** Moves orders in use or pending with their SIMs. Past orders stay, to be found under their former organisation. */
export const moveOrders = async (
  tx: Sql,
  { simIds, orgId }: { simIds: readonly number[]; orgId: number },
): Promise<void> => {
  await tx.query(
    `update bundle_orders o set org_id = case when t.moves then $2::bigint end,
       former_org_id = case when not t.moves then coalesce(o.former_org_id, o.org_id) end
     from (select id, status in ('pending', 'in use') or former_org_id is not distinct from $2 as moves
       from bundle_orders where sim_id = any($1::bigint[])) as t
     where o.id = t.id`,
    [simIds, orgId],
  );
};

/** Those of the SIMs with an order, in use or pending, for a shared pool's bundle. */
export const findPoolSims = async (tx: Sql, simIds: readonly number[]): Promise<Map<number, boolean>> => {
  const { rows } = await tx.query<[number]>({
    text: `select distinct o.sim_id from bundle_orders o join bundles b on b.id = o.bundle_id
           where o.sim_id = any($1::bigint[]) and o.status in ('pending', 'in use') and b.type = 'postpaid shared'`,
    values: [int8Column(simIds, (simId) => simId)],
    rowMode: 'array',
  });
  return new Map(rows.map(([simId]) => [simId, true]));
};
