import { type SqlBool, sql } from 'kysely';
import type { Condition, Fragment, SampleSteps } from './list.ts';
import { isSorted, type Position } from './order.ts';
import {
  afterCursor,
  all,
  and,
  type Counted,
  columnsOf,
  columnsRead,
  type Found,
  from,
  fromInOrder,
  isRangeOf,
  keyOf,
  lookedUp,
  ordered,
  own,
  positionOf,
  readKeys,
  selectedKeys,
  tablesOfOrder,
  tablesRead,
  textKeys,
  upTo,
  used,
  type Wanted,
} from './wanted.ts';

/** Walks the whole order from the start or the cursor until the page is full. */
export const walk = async (wanted: Wanted, count: number): Promise<Found[]> => {
  const { db, list, conditions, narrowed } = wanted;
  const offset = wanted.offset - (narrowed?.skipped ?? 0);
  const tables = used(wanted, [...tablesRead(wanted, conditions), ...tablesOfOrder(wanted)]);
  const columns = columnsOf(wanted);
  const selected = [...(list.select ? [list.select] : []), ...selectedKeys(wanted)];
  const { rows } = await sql<Found>`
    select *, ${textKeys(wanted)} from (
      select ${sql.join(selected)} ${fromInOrder(wanted, tables)}
      where ${and([...own(wanted, tables), ...all(conditions), ...afterCursor(wanted, columns)])}
      ${ordered(wanted, columns)} limit ${count} offset ${offset}) as page
    ${ordered(wanted, readKeys(wanted))}`.execute(db);
  return rows;
};

/** The number of matches, counted up to `most`. */
export const countMatches = async (wanted: Wanted, most?: number): Promise<number> => {
  const known = wanted.narrowed?.total;
  if (known !== undefined) return Math.min(known, most ?? known);
  const ids = idsOf(wanted, most);
  const { rows } = await sql<{ total: number }>`select count(*) as total from (${ids}) as matched`.execute(
    wanted.db,
  );
  return rows[0]?.total ?? 0;
};

export interface Matched extends Counted {
  found: Found[];
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
export const matches = async (
  wanted: Wanted,
  { most, bounded = false }: { most: number; bounded?: boolean },
): Promise<Matched> => {
  const isShown = bounded ? sql<SqlBool>`true` : sql<SqlBool>`counted.total <= ${most}`;
  const shown = sql`(select matched_id from matched limit case when counted.total <= ${most} then ${most}::bigint else ${boundRows}::bigint end) as shown`;
  const part = isSorted(wanted.order)
    ? pageOf(wanted, { from: sql`${shown} ${joined(wanted)}`, columns: columnsOf(wanted), when: [isShown] })
    : pageOf(wanted, { from: shown, columns: [sql.ref('matched_id')], when: [isShown] });
  const { rows } = await sql<CountedRow>`
    with matched as materialized (${idsOf(wanted, most + 1)})
    select counted.total, part.*, ${textKeys(wanted)}
    from (select count(*) as total from matched) as counted
    left join lateral (${part}) as part on true`.execute(wanted.db);
  return matchedOf(wanted, rows, most);
};

/** The ids of matching rows, in no particular order, from no more tables than the conditions read. */
export const idsOf = (wanted: Wanted, most: number | undefined): Fragment => {
  const { conditions } = wanted;
  const limit = most === undefined ? sql`` : sql`limit ${most}`;
  const apart = conditions.find(({ either }) => either);
  if (!apart?.either) return sql`${idsWhere(wanted, conditions)} ${limit}`;
  const rest = conditions.filter((condition) => condition !== apart);
  const branches = apart.either.map(
    (one) => sql`(${idsWhere(wanted, [...rest, { ...one, columns: [] }])} ${limit})`,
  );
  return sql`select matched_id from (${sql.join(branches, sql` union `)}) as found ${limit}`;
};

const idsWhere = (wanted: Wanted, conditions: readonly Condition[]): Fragment => {
  const tables = used(wanted, tablesRead(wanted, conditions));
  const holding = and([...own(wanted, tables, wanted.beside), ...lookedUp(conditions)]);
  return sql`select ${keyOf(wanted, tables)} as matched_id ${from(wanted, tables)} where ${holding}`;
};

/** The tables of the order, joined to the ids that were found. */
const joined = (wanted: Wanted): Fragment => {
  const [first, ...others] = used(wanted, tablesOfOrder(wanted));
  if (!first) throw new RangeError('A list has a table');
  const joins = others.map((table) => sql`join ${table.from(wanted)} on ${table.on ?? sql`true`}`);
  return sql`join ${first.from(wanted)} on ${keyOf(wanted, [first])} = matched_id ${sql.join(joins, sql` `)}`;
};

interface CountedRow extends Found {
  total: number;
}

interface Part {
  from: Fragment;
  columns: readonly Fragment[];
  when?: readonly Fragment<SqlBool>[];
}

const pageOf = (wanted: Wanted, { from: matched, columns, when = [] }: Part): Fragment => {
  const { size, offset } = wanted;
  const keys = columns.map((column, index) => sql`${column} as ${sql.ref(`key_${index}`)}`);
  return sql`
    select ${sql.join(keys)} from ${matched} where ${and([...when, ...afterCursor(wanted, columns)])}
    ${ordered(wanted, columns)} limit ${size + 1} offset ${offset}`;
};

const matchedOf = (wanted: Wanted, rows: readonly CountedRow[], most: number): Matched => {
  const total = rows[0]?.total ?? 0;
  const last = `key_${wanted.order.keys.length - 1}`;
  const found = rows.filter((row) => row[last] !== null);
  if (total <= most) return { total, relation: 'eq', found, bound: undefined };
  const bound = found[wanted.size];
  return { total: most, relation: 'gte', found: [], bound: bound && positionOf(wanted.order, bound) };
};

export interface InWindow {
  found: Found[];
  isFull: boolean;
  /** The share of matches among the rows walked until the page was full, or in the whole window. */
  share: number;
}

/** Filters the first `most` rows of the order until the page is full. */
export const windowOf = async (wanted: Wanted, most: number): Promise<InWindow> => {
  const { db, size, offset, conditions } = wanted;
  const within = conditions.filter((condition) => !isRangeOf(wanted, condition));
  const ranges = conditions.filter((condition) => isRangeOf(wanted, condition));
  const tables = used(wanted, [...tablesRead(wanted, conditions), ...tablesOfOrder(wanted)]);
  const columns = columnsOf(wanted);
  const keys = readKeys(wanted);
  const selected = [...selectedKeys(wanted), ...columnsRead(within)];
  // Numbered in the same order, so that the planner knows that rows arrive in it and stops with the page.
  const { rows } = await sql<Found & { place: number }>`
    select ${sql.join(keys)}, ${textKeys(wanted)}, place from (
      select *, row_number() over (${ordered(wanted, keys)}) as place from (
        select ${sql.join(selected)} ${fromInOrder(wanted, tables)}
        where ${and([...own(wanted, tables), ...all(ranges), ...afterCursor(wanted, columns)])}
        ${ordered(wanted, columns)} limit ${most}) as walked) as within
    where ${and(all(within))}
    ${ordered(wanted, keys)} limit ${size + 1} offset ${offset}`.execute(db);
  const isFull = rows.length > size;
  const walked = isFull ? (rows.at(-1)?.place ?? most) : most;
  return { found: rows, isFull, share: rows.length > 0 ? (offset + rows.length) / walked : 0 };
};

/**
 * The matches among a limited number of rows in key order, mostly that of the table, where reading a row is
 * cheapest. They give a minimum of the total, and the latest end of the page.
 */
export const sampleOf = async (
  wanted: Wanted,
  { rows: walked, most }: { rows: SampleSteps['few' | 'many']; most: number },
): Promise<Matched> => {
  const { conditions } = wanted;
  const tables = used(wanted, [
    wanted.list.tables[0].name,
    ...tablesRead(wanted, conditions),
    ...tablesOfOrder(wanted),
  ]);
  const selected = [...selectedKeys(wanted), ...columnsRead(conditions)];
  const keys = readKeys(wanted);
  const part = pageOf(wanted, { from: sql`matched`, columns: keys });
  const { rows } = await sql<CountedRow>`
    with matched as materialized (
      select ${sql.join(keys)} from (
        select ${sql.join(selected)} ${from(wanted, tables)} where ${and(own(wanted, tables))}
        order by ${keyOf(wanted, tables)} limit ${walked}) as walked
      where ${and(all(conditions))} limit ${most + 1})
    select counted.total, part.*, ${textKeys(wanted)}
    from (select count(*) as total from matched) as counted
    left join lateral (${part}) as part on true`.execute(wanted.db);
  return matchedOf(wanted, rows, most);
};

/**
 * Reads and sorts all matches up to a position in the order, or all matches, however many. If conditions read
 * other tables than the order does, ids are found first, as in `matches`; else the key is read together with
 * the columns of the conditions. `offset 0` keeps the planner from walking the order after all.
 */
export const gather = async (wanted: Wanted, bound?: Position): Promise<Found[]> => {
  const { db, size, offset, conditions } = wanted;
  const byOrder = tablesOfOrder(wanted);
  const twoSteps =
    isSorted(wanted.order) && tablesRead(wanted, conditions).some((name) => !byOrder.includes(name));
  const tables = used(wanted, [...tablesRead(wanted, conditions), ...byOrder]);
  const holding = and(lookedUp(conditions));
  const columns = twoSteps ? columnsOf(wanted) : readKeys(wanted);
  const selected = twoSteps ? sql`${keyOf(wanted, tables)} as matched_id` : sql.join(selectedKeys(wanted));
  let matched = sql`select ${selected} ${from(wanted, tables)}
    where ${and(own(wanted, tables, wanted.beside))} and ${holding}`;
  if (bound) {
    matched = sql`select ${selected} ${fromInOrder(wanted, tables)}
      where ${and([...own(wanted, tables, true), upTo(wanted, bound)])} and ${holding}`;
  } else if (twoSteps) matched = idsOf(wanted, undefined);
  const shown = columns.map((column, index) => sql`${column} as ${sql.ref(`key_${index}`)}`);
  const { rows } = await sql<Found>`
    select *, ${textKeys(wanted)} from (
      select ${sql.join(shown)} from (${matched} offset 0) as matched ${twoSteps ? joined(wanted) : sql``}
      where ${and(afterCursor(wanted, columns))}
      ${ordered(wanted, columns)} limit ${size + 1} offset ${offset}) as page
    ${ordered(wanted, readKeys(wanted))}`.execute(db);
  return rows;
};
