import type { Sql } from '../db/index.ts';

export interface SealedValue {
  /** The row's id, by which the store orders its rows. */
  id: string;
  /** Identifies it for the operator, such as a gateway's name. */
  label: string;
  sealed: Buffer;
}

export interface SealedPage {
  after: string | undefined;
  limit: number;
  locked: boolean;
}

/** A place where a module stores sealed values, so that all of them can be checked and sealed again. */
export interface SealedStore {
  /** What it contains, in the plural; the audit trail counts values under it. */
  name: string;
  /** The rows after the one with this id, ordered by id; with `locked`, locked until the transaction ends. */
  list(sql: Sql, page: SealedPage): Promise<SealedValue[]>;
  replace(tx: Sql, values: readonly Pick<SealedValue, 'id' | 'sealed'>[]): Promise<void>;
  /** For rows that are worthless without their secret; other stores keep them until the secret is set again. */
  drop?(tx: Sql, ids: readonly string[]): Promise<void>;
}

const pageRows = 500;

/** Every sealed value of a store, page by page. */
export async function* pagesOf(
  sql: Sql,
  store: SealedStore,
  { locked }: { locked: boolean },
): AsyncGenerator<SealedValue[]> {
  for (let after: string | undefined; ; ) {
    const page = await store.list(sql, { after, limit: pageRows, locked });
    if (page.length > 0) yield page;
    if (page.length < pageRows) return;
    after = page.at(-1)?.id;
  }
}
