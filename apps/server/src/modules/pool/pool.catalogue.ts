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
    const named = new Map<number, string>();
    for (const spec of specs) {
      const pool = await findPoolByName(tx, spec);
      const before = pool && named.get(pool.id);
      changes.push(before === undefined ? await applyPool(tx, spec, by) : namedTwice(spec, before));
      const there = pool ?? (await findPoolByName(tx, spec));
      if (there) named.set(there.id, spec.name);
    }
    return changes;
  },
};

/** A file may name a pool twice, because names ignore case and a renamed pool keeps its former names. */
const namedTwice = ({ organisation, name }: PoolSpec, before: string): CatalogueChange => ({
  kind: 'pool',
  code: `${organisation}/${name}`,
  change: 'refused',
  details: [`the file already names this pool ${before}`],
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
