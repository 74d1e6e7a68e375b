import type { z } from 'zod';
import type { Actor } from '../access/index.ts';
import type { Sql } from '../db/index.ts';

/** What becomes of one entry of the catalogue, and in words what of it changes, or why it is refused. */
export interface CatalogueChange {
  /** A bundle, zone, tariff, pool or gateway. */
  kind: string;
  code: string;
  change: 'made' | 'changed' | 'unchanged' | 'refused';
  details: string[];
}

export interface CatalogueBy {
  actor: Actor;
  at: Date;
}

/** What a module keeps of the operator's catalogue, as a list in its file. */
export interface CataloguePart<Entry extends z.ZodType = z.ZodType> {
  /** The list's name in the file. */
  list: string;
  entry: Entry;
  /** Most entries of a file. */
  most: number;
  /**
   * Makes the entries, or changes those that are there; none that the file does not name is removed. Where one is refused
   * the caller rolls back.
   */
  apply: (tx: Sql, entries: z.output<Entry>[], by: CatalogueBy) => Promise<CatalogueChange[]>;
  /** The entries of today, as a file has them. */
  read: (sql: Sql) => Promise<z.input<Entry>[]>;
}
