import type { Sql } from '../../../platform/db/index.ts';
import type { CatalogueBundle } from './offers.rules.ts';

/** The operator's catalogue, and which bundles organisations may order. */
export const listCatalogue = async (sql: Sql): Promise<(CatalogueBundle & { orderable: boolean })[]> =>
  (
    await sql.query<CatalogueBundle & { orderable: boolean }>(
      `select id, code, name, type, reset_cycle, duration_days, quota_bytes, overage_policy, out_of_coverage_policy,
         coverage_countries, threshold_bytes, stop_after_bytes, orderable
       from bundles where type not in ('test plan', 'prepaid supplementary') order by id`,
    )
  ).rows;

/** Those of the SIMs with a bundle in use and in no shared pool, by id. */
export const listBundlesInUse = async (
  sql: Sql,
  { simIds, orgId }: { simIds: readonly number[]; orgId: number },
): Promise<Map<number, number>> => {
  const { rows } = await sql.query<{ id: number; bundle_id: number }>(
    `select s.id, s.bundle_id from sims s join sim_live l on l.sim_id = s.id
     where s.id = any($1::bigint[]) and s.org_id = $2 and not l.pooled and exists (
       select from bundle_orders o where o.sim_id = s.id and o.bundle_id = s.bundle_id and o.status = 'in use')`,
    [simIds, orgId],
  );
  return new Map(rows.map((row) => [row.id, row.bundle_id]));
};

export const findOrganisation = async (sql: Sql, orgId: number): Promise<{ code: string; name: string }> => {
  const { rows } = await sql.query<{ code: string; name: string }>(
    'select code, name from organisations where id = $1',
    [orgId],
  );
  if (!rows[0]) throw new Error('An organisation is gone');
  return rows[0];
};
