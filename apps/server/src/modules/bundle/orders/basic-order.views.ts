import type { BundleSpec } from '@simcube/contract/bundle';
import type { Sql } from '../../../platform/db/index.ts';

/**
 * SQL for the basic order that was in use in a cycle (`sim_id`, `cycle_started_at`, `cycle_ends_at`); no row
 * without one.
 */
export const basicOrderIn = (cycle: string): string => `
  select o.activated_at, o.expires_at, o.bundle_id from bundle_orders o join bundles b on b.id = o.bundle_id
  where o.sim_id = ${cycle}.sim_id and b.type <> 'prepaid supplementary' and o.activated_at < ${cycle}.cycle_ends_at
    and coalesce(o.expires_at, 'infinity') > ${cycle}.cycle_started_at
  order by o.activated_at <= ${cycle}.cycle_started_at desc,
    case when o.activated_at <= ${cycle}.cycle_started_at then ${cycle}.cycle_started_at - o.activated_at
      else o.activated_at - ${cycle}.cycle_started_at end, o.id limit 1`;

/**
 * SQL for the start from which a SIM's (`s`) usage counts for the order in use (`o`); without a bundle, the
 * time since which it has had none: later usage belongs to no cycle of the order that ended.
 */
export const countsSince = `coalesce(o.activated_at, case when s.bundle_id is not null then s.activated_at else (
  select max(e.expires_at) from bundle_orders e join bundles p on p.id = e.bundle_id
  where e.sim_id = s.id and e.status = 'expired' and p.type <> 'prepaid supplementary') end)`;

/** By SIM: the type of the basic order that ended last in the organisation. */
export const lastBasicTypes = async (
  sql: Sql,
  { orgId, simIds }: { orgId: number; simIds: readonly number[] },
): Promise<ReadonlyMap<number, BundleSpec['type']>> => {
  const { rows } = await sql.query<{ simId: number; type: BundleSpec['type'] }>(
    `select distinct on (o.sim_id) o.sim_id as "simId", b.type
     from bundle_orders o join bundles b on b.id = o.bundle_id
     where o.sim_id = any($1::bigint[]) and o.org_id = $2 and o.status = 'expired'
       and b.type <> 'prepaid supplementary'
     order by o.sim_id, o.expires_at desc, o.id desc`,
    [simIds, orgId],
  );
  return new Map(rows.map(({ simId, type }) => [simId, type]));
};
