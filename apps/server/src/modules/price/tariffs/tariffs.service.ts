import { isDeepStrictEqual } from 'node:util';
import type { TariffSpec, TariffVersionSpec } from '@simcube/contract/price';
import { isCurrency } from '@simcube/contract/price';
import type { CatalogueChange, ChangeContext } from '../../../platform/catalogue/index.ts';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { invalidateCosts } from '../costs/stored-costs.queries.ts';
import {
  deleteVersion,
  findBundleTypes,
  insertTariff,
  listVersions,
  listZones,
  lockTariff,
  updateTariffName,
  writeVersion,
} from '../price.queries.ts';

interface Step {
  startsOn: string;
  what: 'made' | 'changed' | 'removed';
  before: TariffVersionSpec | undefined;
  after: TariffVersionSpec | undefined;
}

/**
 * Creates tariffs, or adds versions to existing ones. A version is fixed from its first business day on,
 * because cycles are charged by it; until then it can be changed, and is removed if the file no longer has it.
 */
export const applyTariffs = async (
  tx: Sql,
  specs: readonly TariffSpec[],
  by: ChangeContext,
): Promise<CatalogueChange[]> => {
  const changes: CatalogueChange[] = [];
  for (const spec of specs) changes.push(await applyTariff(tx, spec, by));
  return changes;
};

const applyTariff = async (tx: Sql, spec: TariffSpec, by: ChangeContext): Promise<CatalogueChange> => {
  const change = (how: CatalogueChange['change'], details: string[] = []): CatalogueChange => ({
    kind: 'tariff',
    code: spec.code,
    change: how,
    details,
  });
  const { code, name, currency } = spec;
  if (!isCurrency(currency)) return change('refused', [`${currency} is not a currency of ISO 4217`]);
  const insertedId = await insertTariff(tx, { code, name, currency });
  const before = insertedId === undefined ? await lockTariff(tx, code) : undefined;
  const id = insertedId ?? before?.id ?? 0;
  if (before && before.currency !== currency) {
    return change('refused', [`its currency is ${before.currency}: choose a new code for ${currency}`]);
  }
  const versions = (await listVersions(tx, [id])).get(id) ?? [];
  const today = dashboardDays.dayOf(by.at);
  const steps = stepsOf(versions, spec.versions, today);
  const refusals = [
    ...(await specProblems(tx, spec)),
    ...steps.flatMap((step) => refusalOf(step, { today, isNew: versions.length === 0 })),
  ];
  if (refusals.length > 0) return change('refused', refusals);
  const renamed = before && before.name !== name ? [`name: ${before.name} → ${name}`] : [];
  if (renamed.length > 0) await updateTariffName(tx, { id, name });
  for (const { startsOn, after } of steps) {
    if (after) await writeVersion(tx, id, after);
    else await deleteVersion(tx, id, startsOn);
  }
  if (steps.length > 0) await invalidateCosts(tx);
  const details = [...renamed, ...steps.map(({ startsOn, what }) => `version of ${startsOn}: ${what}`)];
  if (details.length === 0) return change('unchanged');
  const subject = { kind: 'tariff', id: code, name } as const;
  await recordAudit(tx, {
    orgId: null,
    ...by,
    action: before ? 'tariff.changed' : 'tariff.created',
    subject,
    ...(before && {
      before: factsOf(
        before,
        steps.map((step) => step.before),
      ),
    }),
    after: factsOf(
      spec,
      steps.map((step) => step.after),
    ),
  });
  return change(before ? 'changed' : 'made', details);
};

const factsOf = (
  { name, currency }: Pick<TariffSpec, 'name' | 'currency'>,
  versions: readonly (TariffVersionSpec | undefined)[],
) => ({ name, currency, versions: versions.filter((version) => version !== undefined) });

/** The steps from the existing versions to the wanted ones; versions in force need not be in the file. */
const stepsOf = (
  existing: readonly TariffVersionSpec[],
  specs: readonly TariffVersionSpec[],
  today: string,
): Step[] => {
  const byDay = new Map(existing.map((version) => [version.starts_on, version]));
  const steps = specs.flatMap((after): Step[] => {
    const before = byDay.get(after.starts_on);
    if (before && isDeepStrictEqual(before, after)) return [];
    return [{ startsOn: after.starts_on, what: before ? 'changed' : 'made', before, after }];
  });
  const specDays = new Set(specs.map(({ starts_on }) => starts_on));
  const removed = existing.filter(({ starts_on }) => !specDays.has(starts_on) && starts_on > today);
  return [
    ...steps,
    ...removed.map(
      (before): Step => ({ startsOn: before.starts_on, what: 'removed', before, after: undefined }),
    ),
  ];
};

/** A tariff without any version may begin in the past: nothing was charged by it. */
const refusalOf = (
  { startsOn, what }: Step,
  { today, isNew }: { today: string; isNew: boolean },
): string[] => {
  if (startsOn > today || isNew) return [];
  if (what === 'made')
    return [`version of ${startsOn}: a new version must begin after today (${today}, ${dashboardDays.zone})`];
  return [
    `version of ${startsOn}: in force since then, so it cannot be changed; add a version that begins on a later day`,
  ];
};

const specProblems = async (tx: Sql, { versions }: TariffSpec): Promise<string[]> => {
  const codes = (list: 'bundles' | 'zones') => [
    ...new Set(versions.flatMap((version) => Object.keys(version[list]))),
  ];
  const types = await findBundleTypes(tx, codes('bundles'));
  const zones = await listZones(tx);
  const known = new Set(zones.map(({ code }) => code));
  const rest = zones.find(({ countries }) => countries === 'rest')?.code;
  const days = versions.map(({ starts_on }) => starts_on);
  return [
    ...days.filter((day, index) => days.indexOf(day) < index).map((day) => `version of ${day}: occurs twice`),
    ...codes('bundles').flatMap((code) => (types.has(code) ? [] : [`there is no bundle ${code}`])),
    ...codes('zones').flatMap((code) => (known.has(code) ? [] : [`there is no zone ${code}`])),
    ...versions.flatMap((version) => {
      const { starts_on, bundles, zones: prices } = version;
      const priced = Object.keys(prices);
      const isOpen = priced.length > 0 && (rest === undefined || !priced.includes(rest));
      const withoutCycle = Object.entries(bundles)
        .filter(([code, { cycle }]) => cycle > 0 && types.get(code) === 'prepaid supplementary')
        .map(
          ([code]) => `version of ${starts_on}: ${code} is supplementary, so it has no cycle to charge for`,
        );
      return isOpen
        ? [`version of ${starts_on}: the zone of the rest of the world has no price`, ...withoutCycle]
        : withoutCycle;
    }),
  ];
};
