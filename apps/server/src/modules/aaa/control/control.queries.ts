import type { Sql } from '../../../platform/db/index.ts';

/** Records the rate limit that the gateways of all open sessions have confirmed, or that these may have different ones. */
export const confirmRate = async (sql: Sql, simId: number, rateKbps: number | null): Promise<void> => {
  await sql.query('update sim_live set network_rate_kbps = $2 where sim_id = $1', [simId, rateKbps]);
};
