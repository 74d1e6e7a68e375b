import { type SqlBool, sql } from 'kysely';
import type { Db } from '../db/index.ts';
import type { AnyList, Condition, Fragment, ListTable, Narrowing } from './list.ts';
import {
  afterPosition,
  columnOf,
  isSorted,
  type Order,
  type OrderKey,
  orderBy,
  type Position,
  upToPosition,
} from './order.ts';

/** A requested page, with everything needed to find it. */
export interface PageRequest {
  db: Db;
  list: AnyList;
  scope: unknown;
  now: Date;
  conditions: readonly Condition[];
  /** Whether conditions are looked up without the scope's condition, because most of their matches are in the scope. */
  scopeAsFilter: boolean;
  order: Order;
  after: Position | undefined;
  size: number;
  offset: number;
  narrowing?: Narrowing | undefined;
}

/** A row of a page: its columns, if the list reads any, its keys as `key_…`, and the same as text in `text_…`. */
export type PageRow = Record<string, unknown>;

export interface MatchCount {
  total: number;
  relation: 'eq' | 'gte';
}

export interface FoundPage extends MatchCount {
  rows: PageRow[];
}

export const idOf = ({ order }: PageRequest, row: PageRow): unknown => row[`key_${order.keys.length - 1}`];

export const positionOf = ({ keys }: Order, row: PageRow): Position =>
  keys.map((_, index) => row[`text_${index}`] as string | null);

export const and = (conditions: readonly Fragment<SqlBool>[]): Fragment<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;

export const predicatesOf = (conditions: readonly Condition[]): Fragment<SqlBool>[] =>
  conditions.map(({ holds }) => holds);

/** The conditions with their lookups: for queries that find all rows without walking an order. */
export const lookupPredicatesOf = (conditions: readonly Condition[]): Fragment<SqlBool>[] =>
  conditions.flatMap(({ holds, lookup }) => (lookup ? [lookup, holds] : [holds]));

export const tablesOfConditions = ({ list }: PageRequest, conditions: readonly Condition[]): string[] =>
  conditions.flatMap(({ tables }) => tables ?? [list.tables[0].name]);

export const tablesOfOrder = ({ list, order }: PageRequest): string[] =>
  order.keys.map(({ table }) => table ?? list.tables[0].name);

/** The tables with these names: one alone if it has the list's key, else the first with the others joined. */
export const tablesFor = ({ list }: PageRequest, names: readonly string[]): ListTable<unknown>[] => {
  const [first, ...others] = list.tables as AnyList['tables'];
  const needed = others.filter(({ name }) => names.includes(name));
  const [only] = needed;
  const isAlone = only?.key !== undefined && needed.length === 1 && !names.includes(first.name);
  return isAlone ? [only] : [first, ...needed];
};

export const keyOf = ({ list }: PageRequest, [table]: readonly ListTable<unknown>[]): Fragment =>
  table && table !== list.tables[0] && table.key ? table.key : columnOf(list.key.column);

export const fromClause = (request: PageRequest, tables: readonly ListTable<unknown>[]): Fragment =>
  joinTables(tables, (table) => table.from(request));

/** The same when they are read along the order. */
export const fromClauseInOrder = (request: PageRequest, tables: readonly ListTable<unknown>[]): Fragment => {
  const [{ merged, table: tableName } = {} as Partial<OrderKey>] = request.order.keys;
  const orderedBy = orderClause(request, columnsOf(request));
  const sourceOf = (table: ListTable<unknown>) =>
    merged && table.name === tableName ? merged(orderedBy) : table.from(request);
  const { list, narrowing } = request;
  return joinTables(tables, (table) => (table === list.tables[0] && narrowing?.from) || sourceOf(table));
};

const joinTables = (
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
export const scopePredicates = (
  request: PageRequest,
  tables: readonly ListTable<unknown>[],
  scopeAsFilter = false,
): Fragment<SqlBool>[] => tables.flatMap((table) => table.inScope?.(request, scopeAsFilter) ?? []);

export const columnsOf = ({ order }: PageRequest): Fragment[] =>
  order.keys.map(({ column }) => columnOf(column));

/** The same keys in rows that have been read. */
export const keyAliases = ({ order }: PageRequest): Fragment[] =>
  order.keys.map((_, index) => sql.ref(`key_${index}`));

export const selectedKeys = (request: PageRequest): Fragment[] =>
  columnsOf(request).map((column, index) => sql`${column} as ${sql.ref(`key_${index}`)}`);

/** Keys are converted to text only in the final page, not for every skipped row. */
export const textKeys = ({ order }: PageRequest): Fragment =>
  sql.join(
    order.keys.map((_, index) => sql`${sql.ref(`key_${index}`)}::text as ${sql.ref(`text_${index}`)}`),
  );

export const orderClause = (request: PageRequest, columns: readonly Fragment[]): Fragment =>
  orderBy(request.order, columns);

/** The condition for rows after the cursor. */
export const afterCursor = (
  { order, after }: PageRequest,
  columns: readonly Fragment[],
): Fragment<SqlBool>[] => (after ? [afterPosition({ order, columns, position: after })] : []);

export const upToRow = (request: PageRequest, position: Position): Fragment<SqlBool> =>
  upToPosition({ order: request.order, columns: columnsOf(request), position });

/** The columns that a window must read for its conditions. */
export const columnsOfConditions = (conditions: readonly Condition[]): Fragment[] =>
  [...new Set(conditions.flatMap(({ columns }) => columns))].map((name) => sql.ref(name));

/** Whether the order's index has all columns that the conditions read, so that walking it needs no table. */
export const isCoveredByOrderIndex = ({ order, conditions }: PageRequest): boolean => {
  const covers = order.keys[0]?.covers ?? [];
  return isSorted(order) && conditions.every(({ columns }) => columns.every((name) => covers.includes(name)));
};

/** Whether the condition is a range of the order, so that the walk meets no row that fails it. */
export const isRangeOf = ({ order: { keys } }: PageRequest, { columns, scattered }: Condition): boolean => {
  const [first, ...more] = keys.slice(0, -1).map(({ column }) => column);
  return (
    !scattered &&
    columns.some((name) => name === first) &&
    columns.every((name) => name === first || more.includes(name))
  );
};
