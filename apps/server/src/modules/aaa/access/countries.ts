import type { Clock } from '../../../platform/clock/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findCountry } from './access.queries.ts';

const cacheTtlMs = 10 * 60_000;
/** More networks than exist: a gateway that sends invented numbers must not fill the memory. */
const maxCachedNetworks = 5_000;

/** Caches the countries of networks for a while. */
export const createCountryCache = (sql: Sql, clock: Clock) => {
  const cache = new Map<number, { country: string | null; until: number }>();
  return async (plmn: number): Promise<string | null> => {
    const now = clock.now().getTime();
    const cached = cache.get(plmn);
    if (cached && cached.until > now) return cached.country;
    const country = await findCountry(sql, plmn);
    if (cache.size >= maxCachedNetworks) cache.clear();
    cache.set(plmn, { country, until: now + cacheTtlMs });
    return country;
  };
};
