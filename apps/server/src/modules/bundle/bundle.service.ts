import { isDeepStrictEqual } from 'node:util';
import type { BundleSpec } from '@simcube/contract/bundle';
import type { Actor } from '../../platform/access/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { recordAudit } from '../audit/index.ts';
import { unknownCountries } from '../org/index.ts';
import { findBundle, insertBundle, updateOrderable } from './bundle.queries.ts';
import { BundleRefused } from './bundle.rules.ts';

/**
 * Adds a bundle to the catalogue.
 * @returns false when an identical one exists, whether it can be ordered or not
 * @throws BundleRefused when a different one has its code, as SIMs may be using it, or its coverage contains an
 * unknown country
 */
export const createBundle = async (tx: Sql, spec: BundleSpec): Promise<boolean> => {
  const unknown = unknownCountries(spec.coverage_countries);
  if (unknown.length > 0 && !(await findBundle(tx, spec.code)))
    throw new BundleRefused(
      `Bundle ${spec.code} covers countries that are not in ISO 3166: ${unknown.join(', ')}`,
    );
  if (await insertBundle(tx, spec)) return true;
  const existing = { ...(await findBundle(tx, spec.code)), orderable: spec.orderable };
  if (isDeepStrictEqual(existing, { ...spec })) return false;
  throw new BundleRefused(
    `There is already a different bundle ${spec.code}, and SIMs may be using it: choose a new code`,
  );
};

/**
 * The same at the command line: the audit trail records new bundles, and changes of whether they can be
 * ordered.
 * @returns how many there were
 */
export const importBundles = async (
  tx: Sql,
  { specs, actor, at }: { specs: readonly BundleSpec[]; actor: Actor; at: Date },
): Promise<{ made: number; changed: number }> => {
  const made: BundleSpec[] = [];
  const changed: BundleSpec[] = [];
  for (const spec of specs) {
    if (await createBundle(tx, spec)) made.push(spec);
    else if (await updateOrderable(tx, spec)) changed.push(spec);
  }
  for (const spec of made) {
    const { code, name, ...rest } = spec;
    const subject = { kind: 'bundle', id: code, name } as const;
    await recordAudit(tx, { orgId: null, actor, at, action: 'bundle.created', subject, after: rest });
  }
  for (const { code, name, orderable } of changed) {
    const subject = { kind: 'bundle', id: code, name } as const;
    const facts = { before: { orderable: !orderable }, after: { orderable } };
    await recordAudit(tx, { orgId: null, actor, at, action: 'bundle.changed', subject, ...facts });
  }
  return { made: made.length, changed: changed.length };
};
