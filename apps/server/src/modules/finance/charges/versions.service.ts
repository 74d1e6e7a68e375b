import { dashboardDays } from '../../../platform/clock/business-day.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findVersions, type TariffVersion } from '../../price/index.ts';
import type { BillSection, Section, TariffSection } from './section.rules.ts';
import { listReissueTariffs } from './versions.views.ts';

/** By the first day of a cycle. */
export type Versions = ReadonlyMap<string, TariffVersion>;

/**
 * The tariff versions that a section is charged by: of one currency, if given, and only for days on which its
 * own organisation has a tariff, too. A deleted organisation is charged by the tariffs that its bill was made with.
 */
export const findSectionVersions = async (
  sql: Sql,
  section: Section,
  days: readonly string[],
): Promise<Versions> => {
  const { orgId, tariffId, currency, formerTariffs } = section;
  if (formerTariffs && tariffId === null) return findFormerVersions(sql, { orgId, formerTariffs, days });
  const versions = await findVersions(sql, { orgId, days, tariffId });
  if (currency === undefined) return versions;
  const own = tariffId === null ? versions : await findVersions(sql, { orgId, days });
  const isOf = (version: TariffVersion | undefined) => (version?.currency ?? currency) === currency;
  return new Map([...versions].filter(([day, version]) => isOf(version) && isOf(own.get(day))));
};

const findFormerVersions = async (
  sql: Sql,
  { orgId, formerTariffs, days }: Required<BillSection> & { days: readonly string[] },
): Promise<Versions> => {
  const tariffOn = (day: string) =>
    formerTariffs.findLast(({ since }) => dashboardDays.dayOf(since) <= day) ?? formerTariffs[0];
  const versions = new Map<string, TariffVersion>();
  for (const [tariff, daysOf] of groupBy(days, tariffOn)) {
    if (!tariff) continue;
    const found = await findVersions(sql, { orgId, days: daysOf, tariffId: tariff.tariffId });
    for (const [day, version] of found) versions.set(day, version);
  }
  return versions;
};

/**
 * Groups cycles, also of other months, by the tariff that charges them: the one by which their month's bill is or
 * was reissued, or their own.
 */
export const groupByBilledTariff = async <T>(
  sql: Sql,
  section: TariffSection,
  { cycles, dateOf }: { cycles: readonly T[]; dateOf: (cycle: T) => { day: string; month: string } },
): Promise<{ cycles: T[]; versions: Versions }[]> => {
  if (cycles.length === 0) return [];
  const { orgId } = section;
  const days = cycles.map((cycle) => dateOf(cycle).day);
  const own = await findVersions(sql, { orgId, days });
  const tariffs = await listReissueTariffs(sql, section);
  const groups = groupBy(cycles, (cycle) => {
    const { day, month } = dateOf(cycle);
    if (section.tariffId !== null && month === section.month.month) return section.tariffId;
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
