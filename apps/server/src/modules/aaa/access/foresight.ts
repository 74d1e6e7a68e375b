import type { Sql } from '../../../platform/db/index.ts';
import { type Decision, decideAccess } from '../aaa.rules.ts';
import { findAccessSims, findCountry } from './access.queries.ts';

/**
 * What an Access-Request of this SIM would be answered now, with the APN and from the network that it used last: by the
 * rule and the facts by which requests are answered, so that a report can't say something else than the network does.
 */
export const foreseeAccess = async (
  sql: Sql,
  question: { imsi: string; apn: string | undefined; plmn: number | null; now: Date },
): Promise<Decision> => {
  const { imsi, apn, plmn, now } = question;
  const sims = await findAccessSims(sql, [imsi], []);
  const country = plmn === null ? null : await findCountry(sql, plmn);
  return decideAccess(sims[0], { apn, at: now, country });
};
