import type { Sql } from '../../../platform/db/index.ts';
import { type Decision, decideAccess } from '../aaa.rules.ts';
import { findAccessSims, findCountry } from './access.queries.ts';

/**
 * How an Access-Request of this SIM would be answered now, with its last APN and from its last network. It uses the
 * same rule and facts as real requests, so that a report can't contradict the network.
 */
export const predictAccess = async (
  sql: Sql,
  request: { imsi: string; apn: string | undefined; plmn: number | null; now: Date },
): Promise<Decision> => {
  const { imsi, apn, plmn, now } = request;
  const sims = await findAccessSims(sql, [imsi], []);
  const country = plmn === null ? null : await findCountry(sql, plmn);
  return decideAccess(sims[0], { apn, at: now, country });
};
