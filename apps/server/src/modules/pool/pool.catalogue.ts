import { type PoolSpec, poolSpecSchema } from '@simcube/contract/pool';
import type { CatalogueChange, CataloguePart, ChangeContext } from '../../platform/catalogue/index.ts';
import type { Sql } from '../../platform/db/index.ts';
import { findPoolByName } from './pool.queries.ts';
import { PoolRefused } from './pool.rules.ts';
import { setPool } from './pool.service.ts';
import { listPoolSpecs } from './pool.views.ts';

/** Shared pools in the catalogue file; their limits are changed by `simcube pools limit`. */
export const poolCatalogue: CataloguePart<typeof poolSpecSchema> = {
  list: 'pools',
  entry: poolSpecSchema,
  maxEntries: 10_000,
  read: (sql) => listPoolSpecs(sql),
  apply: async (tx, specs, by) => {
    const changes: CatalogueChange[] = [];
    const poolNames = new Map<number, string>();
    for (const spec of specs) {
      const pool = await findPoolByName(tx, spec);
      const earlierName = pool && poolNames.get(pool.id);
      changes.push(
        earlierName === undefined ? await applyPool(tx, spec, by) : duplicateName(spec, earlierName),
      );
      const existing = pool ?? (await findPoolByName(tx, spec));
      if (existing) poolNames.set(existing.id, spec.name);
    }
    return changes;
  },
};

/** A file may name a pool twice, because names ignore case and a renamed pool keeps its former names. */
const duplicateName = ({ organisation, name }: PoolSpec, earlierName: string): CatalogueChange => ({
  kind: 'pool',
  code: `${organisation}/${name}`,
  change: 'refused',
  details: [`the file already names this pool ${earlierName}`],
});

const applyPool = async (tx: Sql, spec: PoolSpec, by: ChangeContext): Promise<CatalogueChange> => {
  const change = (how: CatalogueChange['change'], details: string[] = []): CatalogueChange => ({
    kind: 'pool',
    code: `${spec.organisation}/${spec.name}`,
    change: how,
    details,
  });
  try {
    const { isNew, changed } = await setPool(tx, spec, by);
    if (isNew) return change('made');
    const details = Object.entries(changed).map(
      ([field, { before, after }]) => `${field}: ${before} → ${after}`,
    );
    return details.length === 0 ? change('unchanged') : change('changed', details);
  } catch (error) {
    if (error instanceof PoolRefused) return change('refused', [error.message]);
    throw error;
  }
};
