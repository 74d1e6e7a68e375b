import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findVersions, type TariffVersion } from '../../price/index.ts';
import type { Section } from './section.rules.ts';
import { listReissueTariffs } from './versions.views.ts';

/** By the first day of a cycle. */
export type Versions = ReadonlyMap<string, TariffVersion>;

/**
 * The tariff versions that a section is charged by: of one currency, if given, and only for days on which its
 * own organisation has a tariff, too.
 */
export const findSectionVersions = async (
  sql: Sql,
  section: Section,
  days: readonly string[],
): Promise<Versions> => {
  const { orgId, tariffId, currency } = section;
  const versions = await findVersions(sql, { orgId, days, tariffId });
  if (currency === undefined) return versions;
  const own = tariffId === null ? versions : await findVersions(sql, { orgId, days });
  const isOf = (version: TariffVersion | undefined) => (version?.currency ?? currency) === currency;
  return new Map([...versions].filter(([day, version]) => isOf(version) && isOf(own.get(day))));
};

/**
 * Groups cycles to be corrected by the tariff that charges them: the one by which their month's bill was
 * reissued, or their own.
 */
export const groupByBilledTariff = async <T>(
  sql: Sql,
  section: Section,
  { cycles, dateOf }: { cycles: readonly T[]; dateOf: (cycle: T) => { day: string; month: string } },
): Promise<{ cycles: T[]; versions: Versions }[]> => {
  const { orgId } = section;
  const days = cycles.map((cycle) => dateOf(cycle).day);
  const own = await findVersions(sql, { orgId, days });
  const tariffs = await listReissueTariffs(sql, section);
  const groups = groupBy(cycles, (cycle) => {
    const { day, month } = dateOf(cycle);
    const currency = own.get(day)?.currency;
    const isOf = (one: { month: string; currency: string }) =>
      one.month === month && (currency ?? one.currency) === one.currency;
    return tariffs.find(isOf)?.tariffId ?? null;
  });
  const result: { cycles: T[]; versions: Versions }[] = [];
  for (const [tariffId, grouped] of groups) {
    const versions = tariffId === null ? own : await findVersions(sql, { orgId, days, tariffId });
    result.push({ cycles: grouped, versions });
  }
  return result;
};
