import type { Sql } from '../../../platform/db/index.ts';

/** By SIM and list: the IMEIs that the list allows. */
export const listAllowedImeis = async (
  sql: Sql,
  { lists, simIds }: { lists: readonly string[]; simIds: readonly number[] },
): Promise<Map<number, Map<string, string[]>>> => {
  const bySim = new Map<number, Map<string, string[]>>();
  if (lists.length === 0) return bySim;
  const { rows } = await sql.query<{ sim_id: number; list: string; imeis: string[] }>(
    `select sim_id, list_id::text as list, array_agg(imei) as imeis from autoflow_list_sims
     where list_id = any($1::bigint[]) and sim_id = any($2::bigint[]) group by 1, 2`,
    [lists, simIds],
  );
  for (const { sim_id, list, imeis } of rows) {
    bySim.set(sim_id, (bySim.get(sim_id) ?? new Map<string, string[]>()).set(list, imeis));
  }
  return bySim;
};
