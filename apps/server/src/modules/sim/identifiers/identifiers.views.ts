import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { spellingsOf } from '../sim.rules.ts';
import type { SimScope } from '../sim-scope.views.ts';
import { simsBy } from '../sims-by.rules.ts';
import type { SimIdentifiers } from './identifiers.rules.ts';

/** The organisation's SIMs named by ICCIDs, IMSIs and MSISDNs in any mixture. */
export const findByIdentifiers = async (
  db: Db,
  scope: SimScope,
  identifiers: readonly string[],
): Promise<SimIdentifiers[]> => {
  const spellings = [...new Set(identifiers.flatMap(spellingsOf))];
  const { rows } = await sql<SimIdentifiers>`
    select distinct s.id, s.iccid, s.imsi, s.msisdn from ${sql.raw(simsBy())} i join sims s on s.id = i.sim_id
    where i.value = any(${spellings}::text[]) and ${scope.sims}`.execute(db);
  return rows;
};
