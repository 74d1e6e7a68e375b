import { type SqlBool, sql } from 'kysely';
import type { Condition, Fragment, SampleLimits } from './list.ts';
import { isSorted, type Position } from './order.ts';
import {
  afterCursor,
  and,
  columnsOf,
  columnsOfConditions,
  fromClause,
  fromClauseInOrder,
  isRangeOf,
  keyAliases,
  keyOf,
  lookupPredicatesOf,
  type MatchCount,
  orderClause,
  type PageRequest,
  type PageRow,
  positionOf,
  predicatesOf,
  scopePredicates,
  selectedKeys,
  tablesFor,
  tablesOfConditions,
  tablesOfOrder,
  textKeys,
  upToRow,
} from './page-request.ts';

/** Walks the whole order from the start or the cursor until the page is full. */
export const walk = async (request: PageRequest, count: number): Promise<PageRow[]> => {
  const { db, list, conditions, narrowing } = request;
  const offset = request.offset - (narrowing?.skipped ?? 0);
  const tables = tablesFor(request, [...tablesOfConditions(request, conditions), ...tablesOfOrder(request)]);
  const columns = columnsOf(request);
  const selected = [...(list.select ? [list.select] : []), ...selectedKeys(request)];
  const { rows } = await sql<PageRow>`
    select *, ${textKeys(request)} from (
      select ${sql.join(selected)} ${fromClauseInOrder(request, tables)}
      where ${and([...scopePredicates(request, tables), ...predicatesOf(conditions), ...afterCursor(request, columns)])}
      ${orderClause(request, columns)} limit ${count} offset ${offset}) as page
    ${orderClause(request, keyAliases(request))}`.execute(db);
  return rows;
};

/** The number of matches, counted up to `limit`. */
export const countMatches = async (request: PageRequest, limit?: number): Promise<number> => {
  const known = request.narrowing?.total;
  if (known !== undefined) return Math.min(known, limit ?? known);
  const ids = idsOf(request, limit);
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${ids}) as matched`.execute(
    request.db,
  );
  return rows[0]?.total ?? 0;
};

export interface MatchResult extends MatchCount {
  rows: PageRow[];
  /**
   * If there are too many matches to count: a position in the order before which there are enough of them for
   * the page.
   */
  bound: Position | undefined;
}

/** If there are too many matches to count, this many determine the latest end of the page. */
const boundRows = 1000;

/**
 * Counts the matches up to a limit and, if these are all, returns the page from them. First it reads only their
 * ids, for which indexes often suffice; sort keys are read only when there are few. If these are not all, the
 * page is unknown, but it can't end later than it would with the counted matches alone.
 */
export const lookUpMatches = async (
  request: PageRequest,
  { limit, bounded = false }: { limit: number; bounded?: boolean },
): Promise<MatchResult> => {
  const isShown = bounded ? sql<SqlBool>`true` : sql<SqlBool>`counted.total <= ${limit}`;
  const shown = sql`(select matched_id from matched limit case when counted.total <= ${limit} then ${limit}::bigint else ${boundRows}::bigint end) as shown`;
  const part = isSorted(request.order)
    ? pageOf(request, {
        from: sql`${shown} ${orderJoins(request)}`,
        columns: columnsOf(request),
        when: [isShown],
      })
    : pageOf(request, { from: shown, columns: [sql.ref('matched_id')], when: [isShown] });
  const { rows } = await sql<CountedRow>`
    with matched as materialized (${idsOf(request, limit + 1)})
    select counted.total, part.*, ${textKeys(request)}
    from (select count(*) as total from matched) as counted
    left join lateral (${part}) as part on true`.execute(request.db);
  return matchResultOf(request, rows, limit);
};

/** The ids of matching rows, in no particular order, from no more tables than the conditions read. */
export const idsOf = (request: PageRequest, limit: number | undefined): Fragment => {
  const { conditions } = request;
  const limitClause = limit === undefined ? sql`` : sql`limit ${limit}`;
  const alternatives = conditions.find(({ either }) => either);
  if (!alternatives?.either) return sql`${idsWhere(request, conditions)} ${limitClause}`;
  const rest = conditions.filter((condition) => condition !== alternatives);
  const branches = alternatives.either.map(
    (one) => sql`(${idsWhere(request, [...rest, { ...one, columns: [] }])} ${limitClause})`,
  );
  return sql`select matched_id from (${sql.join(branches, sql` union `)}) as found ${limitClause}`;
};

const idsWhere = (request: PageRequest, conditions: readonly Condition[]): Fragment => {
  const tables = tablesFor(request, tablesOfConditions(request, conditions));
  const predicate = and([
    ...scopePredicates(request, tables, request.scopeAsFilter),
    ...lookupPredicatesOf(conditions),
  ]);
  return sql`select ${keyOf(request, tables)} as matched_id ${fromClause(request, tables)} where ${predicate}`;
};

/** The tables of the order, joined to the ids that were found. */
const orderJoins = (request: PageRequest): Fragment => {
  const [first, ...others] = tablesFor(request, tablesOfOrder(request));
  if (!first) throw new RangeError('A list has a table');
  const joins = others.map((table) => sql`join ${table.from(request)} on ${table.on ?? sql`true`}`);
  return sql`join ${first.from(request)} on ${keyOf(request, [first])} = matched_id ${sql.join(joins, sql` `)}`;
};

interface CountedRow extends PageRow {
  total: number;
}

interface Part {
  from: Fragment;
  columns: readonly Fragment[];
  when?: readonly Fragment<SqlBool>[];
}

const pageOf = (request: PageRequest, { from: matched, columns, when = [] }: Part): Fragment => {
  const { size, offset } = request;
  const keys = columns.map((column, index) => sql`${column} as ${sql.ref(`key_${index}`)}`);
  return sql`
    select ${sql.join(keys)} from ${matched} where ${and([...when, ...afterCursor(request, columns)])}
    ${orderClause(request, columns)} limit ${size + 1} offset ${offset}`;
};

const matchResultOf = (request: PageRequest, rows: readonly CountedRow[], limit: number): MatchResult => {
  const total = rows[0]?.total ?? 0;
  const last = `key_${request.order.keys.length - 1}`;
  const found = rows.filter((row) => row[last] !== null);
  if (total <= limit) return { total, relation: 'eq', rows: found, bound: undefined };
  const bound = found[request.size];
  return { total: limit, relation: 'gte', rows: [], bound: bound && positionOf(request.order, bound) };
};

export interface WindowResult {
  rows: PageRow[];
  isFull: boolean;
  /** The share of matches among the rows walked until the page was full, or in the whole window. */
  share: number;
}

/** Filters the first `limit` rows of the order until the page is full. */
export const readWindow = async (request: PageRequest, limit: number): Promise<WindowResult> => {
  const { db, size, offset, conditions } = request;
  const filtered = conditions.filter((condition) => !isRangeOf(request, condition));
  const ranges = conditions.filter((condition) => isRangeOf(request, condition));
  const tables = tablesFor(request, [...tablesOfConditions(request, conditions), ...tablesOfOrder(request)]);
  const columns = columnsOf(request);
  const keys = keyAliases(request);
  const selected = [...selectedKeys(request), ...columnsOfConditions(filtered)];
  // Numbered in the same order, so that the planner knows that rows arrive in it and stops with the page.
  const { rows } = await sql<PageRow & { place: number }>`
    select ${sql.join(keys)}, ${textKeys(request)}, place from (
      select *, row_number() over (${orderClause(request, keys)}) as place from (
        select ${sql.join(selected)} ${fromClauseInOrder(request, tables)}
        where ${and([...scopePredicates(request, tables), ...predicatesOf(ranges), ...afterCursor(request, columns)])}
        ${orderClause(request, columns)} limit ${limit}) as walked) as within
    where ${and(predicatesOf(filtered))}
    ${orderClause(request, keys)} limit ${size + 1} offset ${offset}`.execute(db);
  const isFull = rows.length > size;
  const walked = isFull ? (rows.at(-1)?.place ?? limit) : limit;
  return { rows, isFull, share: rows.length > 0 ? (offset + rows.length) / walked : 0 };
};

/**
 * The matches among a limited number of rows in key order, mostly that of the table, where reading a row is
 * cheapest. They give a minimum of the total, and the latest end of the page.
 */
export const readSample = async (
  request: PageRequest,
  { rows: walked, limit }: { rows: SampleLimits['few' | 'many']; limit: number },
): Promise<MatchResult> => {
  const { conditions } = request;
  const tables = tablesFor(request, [
    request.list.tables[0].name,
    ...tablesOfConditions(request, conditions),
    ...tablesOfOrder(request),
  ]);
  const selected = [...selectedKeys(request), ...columnsOfConditions(conditions)];
  const keys = keyAliases(request);
  const part = pageOf(request, { from: sql`matched`, columns: keys });
  const { rows } = await sql<CountedRow>`
    with matched as materialized (
      select ${sql.join(keys)} from (
        select ${sql.join(selected)} ${fromClause(request, tables)} where ${and(scopePredicates(request, tables))}
        order by ${keyOf(request, tables)} limit ${walked}) as walked
      where ${and(predicatesOf(conditions))} limit ${limit + 1})
    select counted.total, part.*, ${textKeys(request)}
    from (select count(*) as total from matched) as counted
    left join lateral (${part}) as part on true`.execute(request.db);
  return matchResultOf(request, rows, limit);
};

/**
 * Reads and sorts all matches up to a position in the order, or all matches, however many. If conditions read
 * other tables than the order does, ids are found first; else the key is read together with
 * the columns of the conditions. `offset 0` keeps the planner from walking the order after all.
 */
export const gather = async (request: PageRequest, bound?: Position): Promise<PageRow[]> => {
  const { db, size, offset, conditions } = request;
  const byOrder = tablesOfOrder(request);
  const twoSteps =
    isSorted(request.order) &&
    tablesOfConditions(request, conditions).some((name) => !byOrder.includes(name));
  const tables = tablesFor(request, [...tablesOfConditions(request, conditions), ...byOrder]);
  const predicate = and(lookupPredicatesOf(conditions));
  const columns = twoSteps ? columnsOf(request) : keyAliases(request);
  const selected = twoSteps ? sql`${keyOf(request, tables)} as matched_id` : sql.join(selectedKeys(request));
  let matched = sql`select ${selected} ${fromClause(request, tables)}
    where ${and(scopePredicates(request, tables, request.scopeAsFilter))} and ${predicate}`;
  if (bound) {
    matched = sql`select ${selected} ${fromClauseInOrder(request, tables)}
      where ${and([...scopePredicates(request, tables, true), upToRow(request, bound)])} and ${predicate}`;
  } else if (twoSteps) matched = idsOf(request, undefined);
  const shown = columns.map((column, index) => sql`${column} as ${sql.ref(`key_${index}`)}`);
  const { rows } = await sql<PageRow>`
    select *, ${textKeys(request)} from (
      select ${sql.join(shown)} from (${matched} offset 0) as matched ${twoSteps ? orderJoins(request) : sql``}
      where ${and(afterCursor(request, columns))}
      ${orderClause(request, columns)} limit ${size + 1} offset ${offset}) as page
    ${orderClause(request, keyAliases(request))}`.execute(db);
  return rows;
};
