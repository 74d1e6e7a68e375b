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

interface SealedColumn {
  name: string;
  table: string;
  /** The type of the table's `id`. */
  id: 'bigint' | 'uuid';
  column: string;
  /** An SQL expression; the table is called `s` in it and in `join`. */
  label: string;
  join?: string;
  /** A channel on which to announce that values were replaced. */
  notify?: string;
}

/** The sealed values in a column of a table. */
export const sealedColumn = (store: SealedColumn): SealedStore => ({
  name: store.name,
  async list(sql, { after, limit, locked }) {
    const { rows } = await sql.query<SealedValue>(
      `select s.id::text as id, ${store.label} as label, s.${store.column} as sealed
       from ${store.table} s ${store.join ?? ''}
       where s.${store.column} is not null and ($1::${store.id} is null or s.id > $1)
       order by s.id limit $2 ${locked ? 'for no key update of s' : ''}`,
      [after ?? null, limit],
    );
    return rows;
  },
  async replace(tx, values) {
    if (values.length === 0) return;
    await tx.query(
      `update ${store.table} s set ${store.column} = v.sealed
       from unnest($1::${store.id}[], $2::bytea[]) as v (id, sealed) where s.id = v.id`,
      [values.map(({ id }) => id), values.map(({ sealed }) => sealed)],
    );
    if (store.notify !== undefined) await tx.query('select pg_notify($1, $2)', [store.notify, '']);
  },
});

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
