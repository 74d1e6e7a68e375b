import { type SqlBool, sql } from 'kysely';
import { keyValue } from './key-types.rules.ts';
import type { AnyList, Fragment, SortKey } from './list.ts';

/** An order of a list: its name, and its keys, of which the last is the list's own. */
export interface Order {
  /** The chosen column and its direction; empty for the list's own order. */
  text: string;
  sort: string | undefined;
  keys: readonly OrderKey[];
}

export type OrderKey = SortKey & { descending: boolean };

/** Where a page ended: the keys of its last row, as text. */
export type Position = readonly (string | null)[];

export const orderOf = (list: AnyList, sort: string | undefined): Order => {
  const { sorts, order } = list;
  const sortText = sort ?? (typeof order === 'string' ? order : undefined);
  if (sortText === undefined) return { text: '', sort: undefined, keys: withKey(list, order as SortKey[]) };
  const descending = sortText.startsWith('-');
  const name = descending ? sortText.slice(1) : sortText;
  const sortKeys = (sorts as Record<string, SortKey | readonly SortKey[]> | undefined)?.[name];
  if (!sortKeys) throw new RangeError(`The list has no order by ${name}`);
  const keys = [sortKeys].flat().map((key) => ({ ...key, descending }));
  return { text: sortText, sort: name, keys: withKey(list, keys) };
};

/** The list's key comes last, taken from the first key's table if that has it, so that one index has both. */
const withKey = ({ tables, key }: AnyList, keys: readonly SortKey[]): OrderKey[] => {
  const [{ table } = key] = keys;
  const column = tables.find(({ name }) => name === table)?.key;
  const { descending = false } = keys.at(-1) ?? key;
  const own: SortKey = { ...key, ...(column && { column, table }), descending };
  return [...keys, own].map((orderKey) => ({ ...orderKey, descending: orderKey.descending ?? false }));
};

export const reversed = (order: Order): Order => ({
  ...order,
  keys: order.keys.map((key) => ({ ...key, descending: !key.descending })),
});

/** Whether it has keys other than the list's own. */
export const isSorted = ({ keys }: Order): boolean => keys.length > 1;

export const columnOf = (column: string | Fragment): Fragment =>
  typeof column === 'string' ? sql.ref(column) : column;

export const orderBy = ({ keys }: Order, columns: readonly Fragment[]): Fragment =>
  sql`order by ${sql.join(
    keys.map(({ descending, nulls }, index) => {
      const direction = descending ? sql`desc` : sql`asc`;
      if (nulls !== 'least') return sql`${columns[index]} ${direction}`;
      return sql`${columns[index]} ${direction} nulls ${descending ? sql`last` : sql`first`}`;
    }),
  )}`;

interface Place {
  order: Order;
  columns: readonly Fragment[];
  position: Position;
}

/** The condition for rows after a position in the order. */
export const afterPosition = ({ order: { keys }, columns, position }: Place): Fragment<SqlBool> => {
  const [first] = keys;
  const isPlain = keys.every(({ nulls, descending }) => !nulls && descending === first?.descending);
  const values = keys.map(({ type }, index) => {
    const text = position[index];
    return text === null || text === undefined ? sql`null` : keyValue(type, text);
  });
  if (!first) throw new RangeError('An order has a key');
  const from = sql<SqlBool>`${columns[0]} ${first.descending ? sql`<=` : sql`>=`} ${values[0]}`;
  if (isPlain) {
    const sign = first.descending ? sql`<` : sql`>`;
    if (keys.length === 1) return sql<SqlBool>`${columns[0]} ${sign} ${values[0]}`;
    const after = sql<SqlBool>`(${sql.join([...columns])}) ${sign} (${sql.join(values)})`;
    // No index starts with columns of two tables, but one may start with the first column.
    return first.table === keys.at(-1)?.table ? after : sql<SqlBool>`${from} and ${after}`;
  }
  const after = keys.reduceRight<Fragment<SqlBool> | undefined>((rest, key, index) => {
    const column = columns[index] ?? sql`null`;
    const isNull = position[index] === null;
    const greater = afterValue(key, { column, value: values[index] ?? sql`null`, isNull });
    if (!rest) return greater;
    const same = isNull ? sql`${column} is null` : sql`${column} = ${values[index]}`;
    return sql<SqlBool>`(${greater} or (${same} and ${rest}))`;
  }, undefined);
  return first.nulls ? sql<SqlBool>`${after}` : sql<SqlBool>`${from} and ${after}`;
};

const afterValue = (
  { descending, nulls }: OrderKey,
  { column, value, isNull }: { column: Fragment; value: Fragment; isNull: boolean },
): Fragment<SqlBool> => {
  const nullsComeLast = nulls !== undefined && (nulls === 'greatest') !== descending;
  if (isNull) return nullsComeLast ? sql<SqlBool>`false` : sql<SqlBool>`${column} is not null`;
  const greater = sql<SqlBool>`${column} ${descending ? sql`<` : sql`>`} ${value}`;
  return nullsComeLast ? sql<SqlBool>`(${greater} or ${column} is null)` : greater;
};

/** The condition for rows up to a position, ignoring the list's key: additional ties do no harm. */
export const upToPosition = ({ order: { keys }, columns, position }: Place): Fragment<SqlBool> => {
  const [first, ...more] = keys.slice(0, -1);
  if (!first || first.nulls) return sql<SqlBool>`true`;
  const isPlain = more.every(({ nulls, descending }) => !nulls && descending === first.descending);
  const compared = isPlain ? [first, ...more] : [first];
  const values = compared.map(({ type }, index) => keyValue(type, position[index] ?? ''));
  const sign = first.descending ? sql`>=` : sql`<=`;
  return sql<SqlBool>`(${sql.join(columns.slice(0, compared.length))}) ${sign} (${sql.join(values)})`;
};
