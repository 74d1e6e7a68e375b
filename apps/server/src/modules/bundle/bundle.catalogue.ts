import { isDeepStrictEqual } from 'node:util';
import { type BundleSpec, bundleSpecSchema } from '@simcube/contract/bundle';
import type { CatalogueChange, CataloguePart, ChangeContext } from '../../platform/catalogue/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { recordAudit } from '../audit/index.ts';
import { unknownCountries } from '../org/index.ts';
import { insertBundle, listBundleSpecs, lockBundle, updateBundle } from './bundle.queries.ts';

/** Fields whose change does not affect SIMs with the bundle. */
const alwaysChangeable: ReadonlySet<string> = new Set(['name', 'sku', 'orderable']);

/** Bundles of the catalogue file. A bundle that was ordered keeps the properties that its orders are based on. */
export const bundleCatalogue: CataloguePart<typeof bundleSpecSchema> = {
  list: 'bundles',
  entry: bundleSpecSchema,
  maxEntries: 1000,
  read: listBundleSpecs,
  apply: async (tx, specs, by) => {
    const changes: CatalogueChange[] = [];
    for (const spec of specs) changes.push(await applyBundle(tx, spec, by));
    return changes;
  },
};

const applyBundle = async (tx: Sql, spec: BundleSpec, by: ChangeContext): Promise<CatalogueChange> => {
  const change = (how: CatalogueChange['change'], details: string[] = []): CatalogueChange => ({
    kind: 'bundle',
    code: spec.code,
    change: how,
    details,
  });
  const { code, name, ...facts } = spec;
  const unknown = unknownCountries(spec.coverage_countries).join(', ');
  const subject = { kind: 'bundle', id: code, name } as const;
  if (await insertBundle(tx, spec)) {
    if (unknown !== '') return change('refused', [`coverage_countries: not in ISO 3166: ${unknown}`]);
    await recordAudit(tx, { orgId: null, ...by, action: 'bundle.created', subject, after: facts });
    return change('made');
  }
  const existing = await lockBundle(tx, code);
  if (!existing) return change('refused', ['it was removed in the meantime']);
  const fields = (Object.keys(spec) as (keyof BundleSpec)[]).filter(
    (field) => !isDeepStrictEqual(existing.spec[field], spec[field]),
  );
  if (fields.length === 0) return change('unchanged');
  const lockedFields = fields.filter((field) => !alwaysChangeable.has(field));
  // Pools rely on the quota and cycle of a shared bundle even before any SIM has it.
  if ((existing.isInUse || existing.spec.type === 'postpaid shared') && lockedFields.length > 0) {
    return change('refused', [
      `SIMs or pools use it, so ${lockedFields.join(', ')} cannot be changed: choose a new code`,
    ]);
  }
  if (unknown !== '' && fields.includes('coverage_countries'))
    return change('refused', [`coverage_countries: not in ISO 3166: ${unknown}`]);
  await updateBundle(tx, spec);
  const pickChanged = (one: BundleSpec) => Object.fromEntries(fields.map((field) => [field, one[field]]));
  await recordAudit(tx, {
    orgId: null,
    ...by,
    action: 'bundle.changed',
    subject,
    before: pickChanged(existing.spec),
    after: pickChanged(spec),
  });
  return change(
    'changed',
    fields.map(
      (field) => `${field}: ${JSON.stringify(existing.spec[field])} → ${JSON.stringify(spec[field])}`,
    ),
  );
};
