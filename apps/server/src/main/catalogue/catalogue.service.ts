import type pg from 'pg';
import type { CatalogueChange, CataloguePart, ChangeContext } from '../../platform/catalogue/index.ts';
import { inSnapshot, inTransaction, type Sql } from '../../platform/db/index.ts';
import type { Catalogue } from './catalogue.file.ts';

/** Thrown to roll back the transaction of a plan, or of a file with refused entries. */
class RolledBack extends Error {
  constructor(readonly changes: CatalogueChange[]) {
    super('The transaction is taken back');
  }
}

/** Applies the parts of a file in order: what others refer to comes first. */
export const applyParts = async (
  tx: Sql,
  { parts, catalogue, by }: { parts: readonly CataloguePart[]; catalogue: Catalogue; by: ChangeContext },
): Promise<CatalogueChange[]> => {
  const changes: CatalogueChange[] = [];
  for (const { list, apply } of parts) changes.push(...(await apply(tx, catalogue[list] ?? [], by)));
  return changes;
};

export const isRefused = ({ change }: CatalogueChange): boolean => change === 'refused';

/**
 * Applies a file in one transaction, all of it or nothing. A plan does exactly the same and rolls it back, so
 * that it can't promise anything else.
 */
export const runCatalogue = async (
  pool: pg.Pool,
  { plan, ...work }: Parameters<typeof applyParts>[1] & { plan: boolean },
): Promise<CatalogueChange[]> => {
  try {
    return await inTransaction(pool, async (tx) => {
      const changes = await applyParts(tx, work);
      if (plan || changes.some(isRefused)) throw new RolledBack(changes);
      return changes;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.changes;
    throw error;
  }
};

/** The current catalogue, in the form of a file. */
export const currentCatalogue = (pool: pg.Pool, parts: readonly CataloguePart[]): Promise<Catalogue> =>
  inSnapshot(pool, async (tx) => {
    const catalogue: Catalogue = {};
    for (const { list, read } of parts) catalogue[list] = await read(tx);
    return catalogue;
  });
