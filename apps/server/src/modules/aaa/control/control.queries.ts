import type { Sql } from '../../../platform/db/index.ts';
import { mixedRates } from '../aaa.rules.ts';

/** Records the rate limit that the gateways of all open sessions have confirmed, or that these may have different ones. */
export const confirmRate = async (sql: Sql, simId: number, rateKbps: number | null): Promise<void> => {
  await sql.query('update sim_live set network_rate_kbps = $2 where sim_id = $1', [simId, rateKbps]);
};

/**
 * Records that a SIM's sessions may have different rates if any but these is open.
 * @returns the rate that was confirmed until then; undefined if nothing changed
 */
export const doubtRate = async (
  sql: Sql,
  simId: number,
  confirmedKeys: readonly number[],
): Promise<number | null | undefined> => {
  const { rows } = await sql.query<{ before: number | null }>(
    `update sim_live l set network_rate_kbps = ${mixedRates}
     from (select sim_id, network_rate_kbps from sim_live where sim_id = $1) b
     where l.sim_id = $1 and b.sim_id = l.sim_id and l.network_rate_kbps is not distinct from b.network_rate_kbps
       and l.network_rate_kbps is distinct from ${mixedRates} and exists (
         select from radius_sessions r
         where r.sim_id = l.sim_id and r.stopped_at is null and r.session_key <> all($2::bigint[]))
     returning b.network_rate_kbps as before`,
    [simId, confirmedKeys],
  );
  return rows[0]?.before;
};
