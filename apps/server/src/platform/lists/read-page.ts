import type { Page } from '@simcube/contract';
import type { Db } from '../db/index.ts';
import { type CursorContext, decodeCursor, encodeCursor, queryHashOf } from './cursor.ts';
import { findPage } from './find-page.ts';
import { type Groups, groupsOf } from './groups.ts';
import type { Condition, Fragment, KnownCounts, List, PagePosition, QueryContext } from './list.ts';
import { orderOf, type Position } from './order.ts';
import type { PageBookmarks } from './page-bookmarks.ts';
import { idOf, type PageRequest, type PageRow, positionOf } from './page-request.ts';
import { countMatches, walk } from './strategies.ts';

export interface ListQuery<Scope, Filter, Sort extends string> extends QueryContext<Scope> {
  filter: Filter;
  sort?: Sort | `-${Sort}` | undefined;
}

export interface PageQuery<Scope, Filter, Sort extends string> extends ListQuery<Scope, Filter, Sort> {
  page: Page;
  /** Positions of far pages that this process knows. */
  bookmarks?: PageBookmarks | undefined;
}

export interface ListPage<Item> {
  data: Item[];
  /** Exact, or a minimum with `gte`. */
  total: number;
  relation: 'eq' | 'gte';
  nextCursor: string | null;
}

/** Splits the input of a list's call: everything except page and order is the filter. */
export const pageQueryOf = <Input extends Page & { sort?: unknown }>(
  input: Input,
): { page: Page; sort: SortOf<Input>; filter: Omit<Input, keyof Page | 'sort'> } => {
  const { page_no, page_size, cursor, sort, ...filter } = input;
  return { page: { page_no, page_size, cursor }, sort: sort as SortOf<Input>, filter };
};

type SortOf<Input> = Input extends { sort?: infer Sort }
  ? unknown extends Sort
    ? undefined
    : Sort
  : undefined;

/**
 * A page of a list, by number or after a cursor.
 * @throws Failure CB-00-0406: the cursor does not belong to this list, scope, filter and order
 * @throws Failure CB-00-0400: a page by number beyond the counted matches
 */
export const readPage = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  query: PageQuery<Scope, Filter, Sort>,
): Promise<ListPage<Item>> => {
  const { page, bookmarks } = query;
  const cursorContext = cursorContextOf(list, query);
  const after = page.cursor === undefined ? undefined : decodeCursor(cursorContext, page.cursor);
  const { request, known } = await pageRequestOf(db, list, {
    ...query,
    after,
    size: page.page_size,
    offset: after ? 0 : (page.page_no - 1) * page.page_size,
    countLimit: list.countLimit === 'all' ? Number.MAX_SAFE_INTEGER : list.countLimit,
  });
  const { rows, total, relation } = await findPage(request, {
    known,
    bookmarks,
    queryHash: queryHashOf(cursorContext),
  });
  const shown = rows.slice(0, page.page_size);
  const last = rows.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: [...(await list.show(rowsOf(request, shown), { ...query, db }))],
    // A page beyond the counted rows shows that there are more.
    // A page beyond the last row says nothing about how many there are before it.
    total: relation === 'gte' && shown.length > 0 ? Math.max(total, request.offset + shown.length) : total,
    relation,
    nextCursor: last ? encodeCursor(cursorContext, positionOf(cursorContext.order, last)) : null,
  };
};

/** All rows of a list in its order, in batches along the cursor: for files. */
export async function* readAll<Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  query: ListQuery<Scope, Filter, Sort> & { atOnce: number },
): AsyncGenerator<readonly Item[]> {
  const { atOnce: size } = query;
  let after: Position | undefined;
  do {
    const { request } = await pageRequestOf(db, list, { ...query, after, size, offset: 0, countLimit: 0 });
    const found = await walk(request, size);
    if (found.length > 0) yield await list.show(rowsOf(request, found), { ...query, db });
    const last = found.length === size ? found.at(-1) : undefined;
    after = last && positionOf(request.order, last);
  } while (after);
}

/** The number of rows of a list, counted up to `most`. */
export const countRows = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  query: ListQuery<Scope, Filter, Sort> & { most: number },
): Promise<number> => {
  const extent = { after: undefined, size: 0, offset: 0, countLimit: query.most };
  const { request } = await pageRequestOf(db, list, { ...query, ...extent });
  return countMatches(request, query.most);
};

/**
 * The number of rows by the values of a column of the first table, counted as far as for pages.
 * @returns undefined without a filter: counters know these numbers
 */
export const countBy = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  { by, ...query }: ListQuery<Scope, Filter, Sort> & { by: string },
): Promise<Groups | undefined> => {
  const { request, known } = await pageRequestOf(db, list, {
    ...query,
    after: undefined,
    size: 0,
    offset: 0,
    countLimit: 0,
  });
  if (request.conditions.length === 0) return undefined;
  return groupsOf(request, { by, rows: known.rows });
};

const cursorContextOf = <Scope, Filter extends object, Row, Item, Sort extends string>(
  list: List<Scope, Filter, Row, Item, Sort>,
  { scope, filter, sort }: ListQuery<Scope, Filter, Sort>,
): CursorContext => ({
  list: list.name,
  scope,
  filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => isSet(value))),
  order: orderOf(list, sort),
});

/** An undefined value, an empty text and an empty array are no filter. */
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

type Extent = Pick<PageRequest, 'after' | 'size' | 'offset'> & Pick<PagePosition, 'countLimit'>;

const pageRequestOf = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  query: ListQuery<Scope, Filter, Sort> & Extent,
): Promise<{ request: PageRequest; known: KnownCounts }> => {
  const { scope, now, filter, sort, after, size, offset, countLimit } = query;
  const order = orderOf(list, sort);
  const [conditions, known] = await Promise.all([
    conditionsOf(db, list, query),
    list.known?.(db, filter, { scope, now }) ?? {},
  ]);
  const scopeAsFilter = list.scopeAsFilter?.(conditions, known) ?? false;
  const narrowing = await conditions
    .find((condition) => condition.narrow)
    ?.narrow?.({
      descending: order.keys[0]?.descending ?? false,
      after: after?.[0],
      rows: offset + size + 1,
      skipped: offset,
      countLimit,
    });
  return {
    request: { db, list, scope, now, conditions, scopeAsFilter, order, after, size, offset, narrowing },
    known,
  };
};

const conditionsOf = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  { filters }: List<Scope, Filter, Row, Item, Sort>,
  { filter, scope, now }: ListQuery<Scope, Filter, Sort>,
): Promise<readonly Condition[]> => {
  if (typeof filters === 'function') return filters(db, filter, { scope, now });
  return (Object.keys(filters) as (keyof Filter)[]).flatMap((field) => {
    const value = filter[field];
    if (!isSet(value)) return [];
    const condition = filters[field](value as NonNullable<typeof value>, { scope, now });
    return 'holds' in condition ? [condition] : [plain(condition)];
  });
};

const plain = (holds: Fragment): Condition => ({ holds: holds as Condition['holds'], columns: [] });

const rowsOf = <Row>(request: PageRequest, found: readonly PageRow[]): Row[] =>
  (request.list.select ? found : found.map((row) => ({ id: idOf(request, row) }))) as Row[];
