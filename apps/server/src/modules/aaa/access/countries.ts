import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findCountry } from './access.queries.ts';

const rememberedMs = 10 * 60_000;
/** More networks than exist: a gateway that sends invented numbers must not fill the memory. */
const rememberedMost = 5_000;

/** Caches the countries of networks for a while. */
export const rememberCountries = (sql: Sql, clock: Clock) => {
  const known = new Map<number, { country: string | null; until: number }>();
  return async (plmn: number): Promise<string | null> => {
    const now = clock.now().getTime();
    const found = known.get(plmn);
    if (found && found.until > now) return found.country;
    const country = await findCountry(sql, plmn);
    if (known.size >= rememberedMost) known.clear();
    known.set(plmn, { country, until: now + rememberedMs });
    return country;
  };
};
