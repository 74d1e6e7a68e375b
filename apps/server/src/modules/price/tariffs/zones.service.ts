import { isDeepStrictEqual } from 'node:util';
import type { ZoneSpec } from '@simcube/contract/price';
import type { CatalogueChange, ChangeContext } from '../../../platform/catalogue/index.ts';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { unknownCountries } from '../../org/index.ts';
import { insertZone, lockZones, type StoredZone, updateZone } from '../price.queries.ts';

const specOf = ({ code, name, countries }: ZoneSpec): ZoneSpec => ({
  code,
  name,
  countries: countries === 'rest' ? countries : countries.toSorted(),
});

/**
 * Creates zones or changes their names and countries. Versions of tariffs in force keep the countries that they
 * began with. A country is in one zone, and one zone is the rest of the world.
 */
export const applyZones = async (
  tx: Sql,
  specs: readonly ZoneSpec[],
  by: ChangeContext,
): Promise<CatalogueChange[]> => {
  const stored = new Map((await lockZones(tx)).map((zone) => [zone.code, zone]));
  const after = new Map<string, ZoneSpec>(stored);
  for (const spec of specs) after.set(spec.code, spec);
  const changes: CatalogueChange[] = [];
  for (const spec of specs) {
    const before = stored.get(spec.code);
    const reasons = refusalsOf(spec, before, [...after.values()]);
    changes.push(
      reasons.length > 0
        ? { kind: 'zone', code: spec.code, change: 'refused', details: reasons }
        : await applyZone(tx, { spec: specOf(spec), before: before && specOf(before), by }),
    );
  }
  return changes;
};

const refusalsOf = (spec: ZoneSpec, before: StoredZone | undefined, after: readonly ZoneSpec[]): string[] => {
  const isRest = spec.countries === 'rest';
  const others = after.filter(({ code }) => code !== spec.code);
  if (before && (before.countries === 'rest') !== isRest) {
    return ['whether a zone is the rest of the world cannot be changed: choose a new code'];
  }
  if (isRest) {
    const other = others.find(({ countries }) => countries === 'rest');
    return other ? [`${other.code} is already the rest of the world`] : [];
  }
  const unknown = spec.countries === 'rest' ? [] : unknownCountries(spec.countries);
  const known = before?.countries ?? [];
  const isNew = unknown.some((country) => !known.includes(country));
  if (isNew) return [`not in ISO 3166: ${unknown.join(', ')}`];
  return others.flatMap(({ code, countries }) => {
    const shared =
      countries === 'rest' ? [] : countries.filter((country) => spec.countries.includes(country));
    return shared.length > 0 ? [`${shared.join(', ')}: also in ${code}`] : [];
  });
};

const applyZone = async (
  tx: Sql,
  { spec, before, by }: { spec: ZoneSpec; before: ZoneSpec | undefined; by: ChangeContext },
): Promise<CatalogueChange> => {
  const change = (how: CatalogueChange['change'], details: string[] = []): CatalogueChange => ({
    kind: 'zone',
    code: spec.code,
    change: how,
    details,
  });
  if (before && isDeepStrictEqual(before, spec)) return change('unchanged');
  const { code, name, ...after } = spec;
  const subject = { kind: 'zone', id: code, name } as const;
  if (!before) {
    await insertZone(tx, spec);
    await recordAudit(tx, { orgId: null, ...by, action: 'zone.created', subject, after });
    return change('made');
  }
  await updateZone(tx, spec, dashboardDays.dayOf(by.at));
  await recordAudit(tx, {
    orgId: null,
    ...by,
    action: 'zone.changed',
    subject,
    before: { name: before.name, countries: before.countries },
    after: { name, countries: spec.countries },
  });
  return change('changed', differences(before, spec));
};

const differences = (before: ZoneSpec, after: ZoneSpec): string[] => {
  const list = ({ countries }: ZoneSpec) => (countries === 'rest' ? [] : countries);
  const [old, updated] = [list(before), list(after)];
  const [added, removed] = [
    updated.filter((country) => !old.includes(country)),
    old.filter((country) => !updated.includes(country)),
  ];
  return [
    ...(before.name === after.name ? [] : [`name: ${before.name} → ${after.name}`]),
    ...(added.length > 0 ? [`countries added, for future versions: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`countries removed, for future versions: ${removed.join(', ')}`] : []),
  ];
};
