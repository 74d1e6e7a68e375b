import type { Page } from '@simcube/contract';
import type { Db } from '../db/index.ts';
import { type CursorGround, decodeCursor, encodeCursor, markOf } from './cursor.ts';
import { findPage } from './find-page.ts';
import { type Groups, groupsOf } from './groups.ts';
import type { Asked, Condition, Fragment, Known, List, PagePlace } from './list.ts';
import { orderOf, type Position } from './order.ts';
import type { OrderMarks } from './order-marks.ts';
import { type Found, idOf, positionOf, type Wanted } from './wanted.ts';
import { countMatches, walk } from './ways.ts';

export interface Question<Scope, Filter, Sort extends string> extends Asked<Scope> {
  filter: Filter;
  sort?: Sort | `-${Sort}` | undefined;
}

export interface PageQuestion<Scope, Filter, Sort extends string> extends Question<Scope, Filter, Sort> {
  page: Page;
  /** Positions of far pages that this process knows. */
  marks?: OrderMarks | undefined;
}

export interface ListPage<Item> {
  data: Item[];
  /** Exact, or a minimum with `gte`. */
  total: number;
  relation: 'eq' | 'gte';
  nextCursor: string | null;
}

/** Splits the input of a list's call: everything except page and order is the filter. */
export const asked = <Input extends Page & { sort?: unknown }>(
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
  question: PageQuestion<Scope, Filter, Sort>,
): Promise<ListPage<Item>> => {
  const { page, marks } = question;
  const ground = groundOf(list, question);
  const after = page.cursor === undefined ? undefined : decodeCursor(ground, page.cursor);
  const { wanted, known } = await wantedOf(db, list, {
    ...question,
    after,
    size: page.page_size,
    offset: after ? 0 : (page.page_no - 1) * page.page_size,
    counted: list.counted === 'all' ? Number.MAX_SAFE_INTEGER : list.counted,
  });
  const { found, total, relation } = await findPage(wanted, { known, marks, mark: markOf(ground) });
  const shown = found.slice(0, page.page_size);
  const last = found.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: [...(await list.show(rowsOf(wanted, shown), { ...question, db }))],
    // A page beyond the counted rows shows that there are more.
    total: relation === 'gte' ? Math.max(total, wanted.offset + shown.length) : total,
    relation,
    nextCursor: last ? encodeCursor(ground, positionOf(ground.order, last)) : null,
  };
};

/** All rows of a list in its order, in batches along the cursor: for files. */
export async function* readAll<Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  question: Question<Scope, Filter, Sort> & { atOnce: number },
): AsyncGenerator<readonly Item[]> {
  const { atOnce: size } = question;
  let after: Position | undefined;
  do {
    const { wanted } = await wantedOf(db, list, { ...question, after, size, offset: 0, counted: 0 });
    const found = await walk(wanted, size);
    if (found.length > 0) yield await list.show(rowsOf(wanted, found), { ...question, db });
    const last = found.length === size ? found.at(-1) : undefined;
    after = last && positionOf(wanted.order, last);
  } while (after);
}

/** The number of rows of a list, counted up to `most`. */
export const countRows = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  question: Question<Scope, Filter, Sort> & { most: number },
): Promise<number> => {
  const counted = { after: undefined, size: 0, offset: 0, counted: question.most };
  const { wanted } = await wantedOf(db, list, { ...question, ...counted });
  return countMatches(wanted, question.most);
};

/**
 * The number of rows by the values of a column of the first table, counted as far as for pages.
 * @returns undefined without a filter: counters know these numbers
 */
export const countBy = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  { by, ...question }: Question<Scope, Filter, Sort> & { by: string },
): Promise<Groups | undefined> => {
  const { wanted, known } = await wantedOf(db, list, {
    ...question,
    ...{ after: undefined, size: 0, offset: 0, counted: 0 },
  });
  if (wanted.conditions.length === 0) return undefined;
  return groupsOf(wanted, { by, rows: known.rows });
};

const groundOf = <Scope, Filter extends object, Row, Item, Sort extends string>(
  list: List<Scope, Filter, Row, Item, Sort>,
  { scope, filter, sort }: Question<Scope, Filter, Sort>,
): CursorGround => ({
  list: list.name,
  scope,
  filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => isGiven(value))),
  order: orderOf(list, sort),
});

/** An undefined value, an empty text and an empty array are no filter. */
const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

type Extent = Pick<Wanted, 'after' | 'size' | 'offset'> & Pick<PagePlace, 'counted'>;

const wantedOf = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  list: List<Scope, Filter, Row, Item, Sort>,
  question: Question<Scope, Filter, Sort> & Extent,
): Promise<{ wanted: Wanted; known: Known }> => {
  const { scope, now, filter, sort, after, size, offset, counted } = question;
  const order = orderOf(list, sort);
  const [conditions, known] = await Promise.all([
    conditionsOf(db, list, question),
    list.known?.(db, filter, { scope, now }) ?? {},
  ]);
  const beside = list.beside?.(conditions, known) ?? false;
  const narrowed = await conditions
    .find((condition) => condition.narrowed)
    ?.narrowed?.({
      descending: order.keys[0]?.descending ?? false,
      after: after?.[0],
      rows: offset + size + 1,
      skipped: offset,
      counted,
    });
  return {
    wanted: { db, list, scope, now, conditions, beside, order, after, size, offset, narrowed },
    known,
  };
};

const conditionsOf = async <Scope, Filter extends object, Row, Item, Sort extends string>(
  db: Db,
  { filters }: List<Scope, Filter, Row, Item, Sort>,
  { filter, scope, now }: Question<Scope, Filter, Sort>,
): Promise<readonly Condition[]> => {
  if (typeof filters === 'function') return filters(db, filter, { scope, now });
  return (Object.keys(filters) as (keyof Filter)[]).flatMap((field) => {
    const value = filter[field];
    if (!isGiven(value)) return [];
    const condition = filters[field](value as NonNullable<typeof value>, { scope, now });
    return 'holds' in condition ? [condition] : [plain(condition)];
  });
};

const plain = (holds: Fragment): Condition => ({ holds: holds as Condition['holds'], columns: [] });

const rowsOf = <Row>(wanted: Wanted, found: readonly Found[]): Row[] =>
  (wanted.list.select ? found : found.map((row) => ({ id: idOf(wanted, row) }))) as Row[];
