import type { z } from 'zod';
import type { Actor } from '../access/index.ts';
import type { Sql } from '../db/index.ts';

/** What happened to one entry of the catalogue: which fields changed, or why it was refused, in words. */
export interface CatalogueChange {
  /** A bundle, zone, tariff, pool or gateway. */
  kind: string;
  code: string;
  change: 'made' | 'changed' | 'unchanged' | 'refused';
  details: string[];
}

export interface ChangeContext {
  actor: Actor;
  at: Date;
}

/** A module's part of the operator's catalogue, a list in the catalogue file. */
export interface CataloguePart<Entry extends z.ZodType = z.ZodType> {
  /** The list's name in the file. */
  list: string;
  entry: Entry;
  /** Maximum number of entries in a file. */
  maxEntries: number;
  /**
   * Creates or changes the entries; entries that the file does not name are not removed. If one is refused, the
   * caller rolls back.
   */
  apply: (tx: Sql, entries: z.output<Entry>[], by: ChangeContext) => Promise<CatalogueChange[]>;
  /** The current entries, in the form that a file has. */
  read: (sql: Sql) => Promise<z.input<Entry>[]>;
}
