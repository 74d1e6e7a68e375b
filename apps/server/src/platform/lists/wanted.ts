import { type SqlBool, sql } from 'kysely';
import type { Db } from '../db/index.ts';
import type { AnyList, Condition, Fragment, ListTable, Narrowed } from './list.ts';
import {
  beyond,
  columnOf,
  isSorted,
  type Order,
  type OrderKey,
  orderBy,
  type Position,
  until,
} from './order.ts';

/** A requested page, with everything needed to find it. */
export interface Wanted {
  db: Db;
  list: AnyList;
  scope: unknown;
  now: Date;
  conditions: readonly Condition[];
  /** Whether conditions are looked up without the scope's condition, because most of their matches are in the scope. */
  beside: boolean;
  order: Order;
  after: Position | undefined;
  size: number;
  offset: number;
  narrowed?: Narrowed | undefined;
}

/** A row of a page: its columns, if the list reads any, its keys as `key_…`, and the same as text in `text_…`. */
export type Found = Record<string, unknown>;

export interface Counted {
  total: number;
  relation: 'eq' | 'gte';
}

export interface FoundPage extends Counted {
  found: Found[];
}

export const idOf = ({ order }: Wanted, row: Found): unknown => row[`key_${order.keys.length - 1}`];

export const positionOf = ({ keys }: Order, row: Found): Position =>
  keys.map((_, index) => row[`text_${index}`] as string | null);

export const and = (conditions: readonly Fragment<SqlBool>[]): Fragment<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;

export const all = (conditions: readonly Condition[]): Fragment<SqlBool>[] =>
  conditions.map(({ holds }) => holds);

/** The conditions with their lookups: for queries that find all rows without walking an order. */
export const lookedUp = (conditions: readonly Condition[]): Fragment<SqlBool>[] =>
  conditions.flatMap(({ holds, lookup }) => (lookup ? [lookup, holds] : [holds]));

export const tablesRead = ({ list }: Wanted, conditions: readonly Condition[]): string[] =>
  conditions.flatMap(({ of }) => of ?? [list.tables[0].name]);

export const tablesOfOrder = ({ list, order }: Wanted): string[] =>
  order.keys.map(({ of }) => of ?? list.tables[0].name);

/** The tables with these names: one alone if it has the list's key, else the first with the others joined. */
export const used = ({ list }: Wanted, names: readonly string[]): ListTable<unknown>[] => {
  const [first, ...others] = list.tables as AnyList['tables'];
  const needed = others.filter(({ name }) => names.includes(name));
  const [only] = needed;
  const isAlone = only?.key !== undefined && needed.length === 1 && !names.includes(first.name);
  return isAlone ? [only] : [first, ...needed];
};

export const keyOf = ({ list }: Wanted, [table]: readonly ListTable<unknown>[]): Fragment =>
  table && table !== list.tables[0] && table.key ? table.key : columnOf(list.key.column);

export const from = (wanted: Wanted, tables: readonly ListTable<unknown>[]): Fragment =>
  joinedAs(tables, (table) => table.from(wanted));

/** The same when they are read along the order. */
export const fromInOrder = (wanted: Wanted, tables: readonly ListTable<unknown>[]): Fragment => {
  const [{ merged, of } = {} as Partial<OrderKey>] = wanted.order.keys;
  const orderedBy = ordered(wanted, columnsOf(wanted));
  const sourceOf = (table: ListTable<unknown>) =>
    merged && table.name === of ? merged(orderedBy) : table.from(wanted);
  const { list, narrowed } = wanted;
  return joinedAs(tables, (table) => (table === list.tables[0] && narrowed?.from) || sourceOf(table));
};

const joinedAs = (
  tables: readonly ListTable<unknown>[],
  sourceOf: (table: ListTable<unknown>) => Fragment,
): Fragment =>
  sql.join(
    tables.map((table, index) =>
      index === 0 ? sql`from ${sourceOf(table)}` : sql`join ${sourceOf(table)} on ${table.on ?? sql`true`}`,
    ),
    sql` `,
  );

/** The conditions for the rows that the caller may see. */
export const own = (
  wanted: Wanted,
  tables: readonly ListTable<unknown>[],
  beside = false,
): Fragment<SqlBool>[] => tables.flatMap((table) => table.own?.(wanted, beside) ?? []);

export const columnsOf = ({ order }: Wanted): Fragment[] => order.keys.map(({ column }) => columnOf(column));

/** The same keys in rows that have been read. */
export const readKeys = ({ order }: Wanted): Fragment[] =>
  order.keys.map((_, index) => sql.ref(`key_${index}`));

export const selectedKeys = (wanted: Wanted): Fragment[] =>
  columnsOf(wanted).map((column, index) => sql`${column} as ${sql.ref(`key_${index}`)}`);

/** Keys are converted to text only in the final page, not for every skipped row. */
export const textKeys = ({ order }: Wanted): Fragment =>
  sql.join(
    order.keys.map((_, index) => sql`${sql.ref(`key_${index}`)}::text as ${sql.ref(`text_${index}`)}`),
  );

export const ordered = (wanted: Wanted, columns: readonly Fragment[]): Fragment =>
  orderBy(wanted.order, columns);

/** The condition for rows after the cursor. */
export const afterCursor = ({ order, after }: Wanted, columns: readonly Fragment[]): Fragment<SqlBool>[] =>
  after ? [beyond({ order, columns, position: after })] : [];

export const upTo = (wanted: Wanted, position: Position): Fragment<SqlBool> =>
  until({ order: wanted.order, columns: columnsOf(wanted), position });

/** The columns that a window must read for its conditions. */
export const columnsRead = (conditions: readonly Condition[]): Fragment[] =>
  [...new Set(conditions.flatMap(({ columns }) => columns))].map((name) => sql.ref(name));

/** Whether the order's index has all columns that the conditions read, so that walking it needs no table. */
export const isInOrder = ({ order, conditions }: Wanted): boolean => {
  const covers = order.keys[0]?.covers ?? [];
  return isSorted(order) && conditions.every(({ columns }) => columns.every((name) => covers.includes(name)));
};

/** Whether the condition is a range of the order, so that the walk meets no row that fails it. */
export const isRangeOf = ({ order: { keys } }: Wanted, { columns, scattered }: Condition): boolean => {
  const [first, ...more] = keys.slice(0, -1).map(({ column }) => column);
  return (
    !scattered &&
    columns.some((name) => name === first) &&
    columns.every((name) => name === first || more.includes(name))
  );
};
