import type { Sql } from '../../../platform/db/index.ts';
import { mixedRates } from '../aaa.rules.ts';

/** Records the rate limit that the gateways of all open sessions have confirmed, or that these may have different ones. */
export const confirmRate = async (sql: Sql, simId: number, rateKbps: number | null): Promise<void> => {
  await sql.query('update sim_live set network_rate_kbps = $2 where sim_id = $1', [simId, rateKbps]);
};

/** Records that a SIM's sessions may have different rates if any but these is open. */
export const doubtRate = async (sql: Sql, simId: number, confirmedKeys: readonly number[]): Promise<void> => {
  await sql.query(
    `update sim_live l set network_rate_kbps = ${mixedRates} where l.sim_id = $1 and exists (
       select from radius_sessions r
       where r.sim_id = l.sim_id and r.stopped_at is null and r.session_key <> all($2::bigint[]))`,
    [simId, confirmedKeys],
  );
};
