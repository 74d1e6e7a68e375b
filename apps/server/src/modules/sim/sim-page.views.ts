import { limits } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { type Condition, columns, lookedUp } from './sim-condition.views.ts';
import type { SimOrder, SimPosition, SimSort } from './sim-cursor.rules.ts';
import type { Fragment, SimScope } from './sim-scope.views.ts';

/** A page that is asked for: everything that the ways to it need to know. */
export interface Wanted {
  db: Db;
  scope: SimScope;
  conditions: readonly Condition[];
  /** Whether words and tags are looked up without regard to the organisation, as most of what they find is its own. */
  beside: boolean;
  order: SimOrder;
  after: SimPosition | undefined;
  size: number;
  offset: number;
}

/** A SIM of a page and its sort key, null in the order of entry. */
export interface Found {
  id: number;
  value: string | null;
}

export interface Counted {
  total: number;
  relation: 'eq' | 'gte';
}

const sortKeys = {
  iccid: sql`iccid`,
  device_name: columns.name_key,
  lifecycle: columns.lifecycle,
  activated_at: columns.activated_key,
  expires_at: columns.expires_key,
} as const satisfies Record<SimSort, Fragment>;

/** The whole order, walked from the start or the cursor until the page is full. */
export const walk = async (wanted: Wanted, count: number): Promise<Found[]> => {
  const { order, offset, conditions } = wanted;
  // The key becomes text outside: inside it would for every row that is skipped.
  const { rows } = await sql<Found>`
    select id, ${shownKey(order)} as value from (
      select s.id${keyColumn(order)} ${from(wanted)}
      where ${and([...base(wanted), ...all(conditions), ...beyond(wanted)])}
      ${ordered(order)} limit ${count} offset ${offset}) as page
    ${ordered(order)}`.execute(wanted.db);
  return rows;
};

export interface Matched extends Counted {
  found: Found[];
  /** Of matches that are too many to count: a place in the order up to which there are enough of them for the page. */
  bound: SimPosition | undefined;
}

/** Of matches that are too many to count, so many tell where the page ends at the latest. */
const boundRows = 1000;

/**
 * The matches as far as they are counted, and the page from them when they are all there. First only their ids, for
 * which indexes alone often suffice; their sort keys are fetched when there are few. When they are not all there, the
 * page is not known, but where it ends at the latest is: where it would if there were no others.
 */
export const matches = async (
  wanted: Wanted,
  { most = limits.countedTotal as number, bounded = false } = {},
): Promise<Matched> => {
  const isShown = bounded ? sql<SqlBool>`true` : sql<SqlBool>`counted.total <= ${most}`;
  const shown = sql`(select id from matched limit case when counted.total <= ${most} then ${most}::bigint else ${boundRows}::bigint end)`;
  const withKeys = wanted.order.column ? sql`${shown} as shown join sims using (id)` : sql`${shown} as shown`;
  const { rows } = await sql<CountedRow>`
    with matched as materialized (
      ${idsOf(wanted)} and ${and(lookedUp(wanted.conditions))} limit ${most + 1})
    select counted.total, part.id, part.value
    from (select count(*) as total from matched) as counted
    left join lateral (${pageOf(wanted, withKeys, isShown)}) as part on true`.execute(wanted.db);
  return matchedOf(wanted, rows, most);
};

interface CountedRow {
  total: number;
  id: number | null;
  value: string | null;
}

const pageOf = (wanted: Wanted, matched: Fragment, ...more: Fragment<SqlBool>[]): Fragment => {
  const { order, size, offset } = wanted;
  return sql`
    select id, ${shownKey(order)} as value from ${matched} where ${and([...more, ...beyond(wanted)])}
    ${ordered(order)} limit ${size + 1} offset ${offset}`;
};

const matchedOf = ({ size }: Wanted, rows: readonly CountedRow[], most: number): Matched => {
  const total = rows[0]?.total ?? 0;
  const found = rows.flatMap(({ id, value }) => (id === null ? [] : [{ id, value }]));
  if (total <= most) return { total, relation: 'eq', found, bound: undefined };
  return { total: most, relation: 'gte', found: [], bound: found[size] };
};

export interface InWindow {
  found: Found[];
  isFull: boolean;
  /** Of the rows walked until the page was full, or of all of the window, how many matched. */
  share: number;
}

/** So many rows of the order and no more, filtered until the page is full. */
export const windowOf = async (wanted: Wanted, most: number): Promise<InWindow> => {
  const { order, size, offset, conditions } = wanted;
  const within = conditions.filter((condition) => !isRangeOf(order, condition));
  const ranges = conditions.filter((condition) => isRangeOf(order, condition));
  const selected = [...new Set<Fragment>([sql`s.id`, ...keyOf(order), ...readBy(within)])];
  // Numbered in the same order, so that the rows are known to come in it and the walk ends with the page.
  const { rows } = await sql<Found & { position: number }>`
    select id, ${shownKey(order)} as value, position from (
      select *, row_number() over (${ordered(order)}) as position from (
        select ${sql.join(selected)} ${from(wanted)}
        where ${and([...base(wanted), ...all(ranges), ...beyond(wanted)])}
        ${ordered(order)} limit ${most}) as walked) as within
    where ${and(all(within))}
    ${ordered(order)} limit ${size + 1} offset ${offset}`.execute(wanted.db);
  const isFull = rows.length > size;
  const walked = isFull ? (rows.at(-1)?.position ?? most) : most;
  return { found: rows, isFull, share: rows.length > 0 ? (offset + rows.length) / walked : 0 };
};

/**
 * The matches among so many SIMs in the order of their making, which is that of the tables, where a row costs the
 * least. Of all the organisation's matches they tell how many there are at least, and where the page ends at the latest.
 */
export const sampleOf = async (
  wanted: Wanted,
  { rows: walked, most }: { rows: number; most: number },
): Promise<Matched> => {
  const { order, conditions } = wanted;
  const selected = [...new Set<Fragment>([sql`s.id`, ...keyOf(order), ...readBy(conditions)])];
  const { rows } = await sql<CountedRow>`
    with matched as materialized (
      select id${keyColumn(order)} from (
        select ${sql.join(selected)} ${from(wanted)} where ${and(base(wanted))} order by id limit ${walked}) as walked
      where ${and(all(conditions))} limit ${most + 1})
    select counted.total, part.id, part.value
    from (select count(*) as total from matched) as counted
    left join lateral (${pageOf(wanted, sql`matched`)}) as part on true`.execute(wanted.db);
  return matchedOf(wanted, rows, most);
};

/**
 * All matches up to a place in the order, or all there are, whatever their number, sorted. Of two tables they are
 * first found by id, as in `matches`; of one, the key is read along with what the conditions read. `offset 0` keeps
 * the planner from walking the order after all.
 */
export const gather = async (wanted: Wanted, bound?: SimPosition): Promise<Found[]> => {
  const { order, size, offset, conditions } = wanted;
  const twoSteps = isLive(wanted) && order.column !== undefined;
  const holding = and(lookedUp(conditions));
  const keyed = sql`select s.id${twoSteps ? sql`` : keyColumn(order)} ${from(wanted)}`;
  let matched = sql`${keyed} where ${and(lookupBase(wanted))} and ${holding}`;
  if (bound) {
    const upTo = and([...lookupBase({ ...wanted, beside: true }), until(order, bound)]);
    matched = sql`${keyed} where ${upTo} and ${holding}`;
  } else if (twoSteps) matched = sql`${idsOf(wanted)} and ${holding}`;
  const { rows } = await sql<Found>`
    select id, ${shownKey(order)} as value
    from (${matched} offset 0) as matched ${twoSteps ? sql`join sims using (id)` : sql``}
    where ${and(beyond(wanted))}
    ${ordered(order)} limit ${size + 1} offset ${offset}`.execute(wanted.db);
  return rows;
};

/** Whether the index of the order has all that the conditions read, so that walking it needs no table. */
export const isInOrder = ({ order: { column }, conditions }: Wanted): boolean =>
  column !== undefined &&
  conditions.every(({ columns: read }) =>
    read.every((name) => name === 'lifecycle' || columns[name] === sortKeys[column]),
  );

/** Whether the condition is a range of the sort key, so that no row of the walk fails it. */
const isRangeOf = ({ column }: SimOrder, condition: Condition): boolean =>
  column !== undefined &&
  !condition.scattered &&
  condition.columns.length > 0 &&
  readBy([condition]).every((read) => read === sortKeys[column]);

const all = (conditions: readonly Condition[]): Fragment<SqlBool>[] => conditions.map(({ holds }) => holds);

const readBy = (conditions: readonly Condition[]): Fragment[] =>
  conditions.flatMap((condition) => condition.columns.map((name) => columns[name]));

const isLive = ({ conditions }: Wanted): boolean => conditions.some(({ live }) => live);

const from = (wanted: Wanted): Fragment =>
  isLive(wanted) ? sql`from sims s join sim_live l on l.sim_id = s.id` : sql`from sims s`;

const base = (wanted: Wanted): Fragment<SqlBool>[] =>
  isLive(wanted) ? [wanted.scope.sims, wanted.scope.live] : [wanted.scope.sims];

const lookupBase = (wanted: Wanted): Fragment<SqlBool>[] => {
  const sims = wanted.beside ? wanted.scope.simsBeside : wanted.scope.sims;
  return isLive(wanted) ? [sims, wanted.scope.live] : [sims];
};

/** The organisation's SIMs, of no more tables than the conditions read. */
const idsOf = (wanted: Wanted): Fragment =>
  wanted.conditions.length > 0 && wanted.conditions.every(({ live, both }) => live && !both)
    ? sql`select l.sim_id as id from sim_live l where ${wanted.scope.live}`
    : sql`select s.id ${from(wanted)} where ${and(lookupBase(wanted))}`;

const and = (conditions: readonly Fragment<SqlBool>[]): Fragment<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join([...conditions], sql` and `)}`;

const keyOf = ({ column }: SimOrder): Fragment[] => (column ? [sortKeys[column]] : []);
const keyColumn = (order: SimOrder): Fragment => sql.join([sql``, ...keyOf(order)]);
const shownKey = ({ column }: SimOrder): Fragment =>
  column ? sql`${sortKeys[column]}::text` : sql`null::text`;

const ordered = ({ column, descending }: SimOrder): Fragment => {
  const direction = descending ? sql`desc` : sql`asc`;
  return column
    ? sql`order by ${sortKeys[column]} ${direction}, id ${direction}`
    : sql`order by id ${direction}`;
};

/** What lies after the cursor. */
const beyond = ({ order: { column, descending }, after }: Wanted): Fragment<SqlBool>[] => {
  if (!after) return [];
  const sign = descending ? sql`<` : sql`>`;
  return [
    column
      ? sql<SqlBool>`(${sortKeys[column]}, id) ${sign} (${after.value}, ${after.id})`
      : sql<SqlBool>`id ${sign} ${after.id}`,
  ];
};

/** What does not lie after the place; by the key alone, whose ties with it do no harm. */
const until = ({ column, descending }: SimOrder, place: SimPosition): Fragment<SqlBool> => {
  const sign = descending ? sql`>=` : sql`<=`;
  return column
    ? sql<SqlBool>`${sortKeys[column]} ${sign} ${place.value}`
    : sql<SqlBool>`s.id ${sign} ${place.id}`;
};
