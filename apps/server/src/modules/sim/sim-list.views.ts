import { lifecycleNumbers, limits, type Page, type SimFilter, type SimRow } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../platform/db/index.ts';
import { decodeCursor, encodeCursor, fail } from '../../platform/http/index.ts';
import {
  type SimOrder,
  type SimPosition,
  type SimSort,
  simOrderOf,
  simPositionSchema,
  simPositionText,
} from './sim-cursor.rules.ts';
import { type Condition, columns, conditionsOf } from './sim-filter.views.ts';
import { listRows } from './sim-rows.views.ts';
import type { Fragment, SimScope } from './sim-scope.views.ts';

export interface SimListQuestion {
  filter: SimFilter;
  sort: SimSort | `-${SimSort}` | undefined;
  page: Page;
  now: Date;
}

export interface SimListAnswer {
  data: SimRow[];
  total: number;
  relation: 'eq' | 'gte';
  nextCursor: string | null;
}

/** Everything that the ways to a page need to know. */
interface Wanted {
  db: Db;
  scope: SimScope;
  conditions: Condition[];
  order: SimOrder;
  after: SimPosition | undefined;
  size: number;
  offset: number;
}

interface Found {
  id: number;
  value: string | null;
}

interface Counted {
  total: number;
  relation: 'eq' | 'gte';
}

const sortKeys = {
  iccid: sql`iccid`,
  device_name: sql`name_key`,
  activated_at: sql`activated_key`,
  expires_at: columns.expires_key,
} as const satisfies Record<SimSort, Fragment>;

/** How many SIMs a window over the sort order holds at least; more for deeper and longer pages. */
const windowRows = 5000;
/** A window this full of matches says that they are everywhere: counting them along the way is then the quickest. */
const denseShare = 0.1;

/**
 * A page of the organisation's SIMs, in the same short time whatever the filter finds. No single plan does that:
 * walking the sort order is instant when many SIMs match and endless when few do, and looking matches up by index
 * is the other way round. So both are tried, with an end set to each:
 *
 * - a *window* of the sort order, so many rows and no more, filtered as it is walked, fills the page when many match;
 * - the *matches*, looked up and counted up to `limits.countedTotal`: when that is all of them, they are sorted.
 *
 * Only matches that are many and yet all far away in the sort order escape both, and are then gathered whole.
 */
export const listSims = async (
  db: Db,
  scope: SimScope,
  question: SimListQuestion,
): Promise<SimListAnswer> => {
  const { filter, page, now } = question;
  const order = simOrderOf(question.sort);
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor, simPositionSchema(order));
  const wanted: Wanted = {
    db,
    scope,
    conditions: await conditionsOf(db, { scope, filter, now }),
    order,
    after,
    size: page.page_size,
    offset: after ? 0 : (page.page_no - 1) * page.page_size,
  };
  const byLifecycleAlone = wanted.conditions.every(
    ({ columns: read }) => read.length === 1 && read[0] === 'lifecycle',
  );
  const { found, total, relation } = byLifecycleAlone
    ? await plainPage(wanted, filter)
    : await filteredPage(wanted);
  const shown = found.slice(0, page.page_size);
  const last = found.length > page.page_size ? shown.at(-1) : undefined;
  return {
    data: await listRows(db, { ids: shown.map(({ id }) => id), now }),
    total,
    relation,
    nextCursor: last ? encodeCursor(simPositionText(order, last)) : null,
  };
};

/** Without other filters than the lifecycle, the counters know the total. */
const plainPage = async (wanted: Wanted, filter: SimFilter): Promise<Counted & { found: Found[] }> => {
  const total = await countByLifecycle(wanted, filter);
  const { size, offset, after, order } = wanted;
  if (total <= limits.countedTotal && wanted.conditions.length > 0) {
    return { ...(await matches(wanted)), total, relation: 'eq' };
  }
  // A page in the second half is nearer from the end.
  if (!after && offset > total / 2) {
    const fromEnd = Math.max(0, total - offset - size - 1);
    const count = Math.max(0, total - offset - fromEnd);
    const reversed = await walk(
      { ...wanted, order: { ...order, descending: !order.descending }, offset: fromEnd },
      count,
    );
    return { found: reversed.reverse(), total, relation: 'eq' };
  }
  return { found: await walk(wanted, size + 1), total, relation: 'eq' };
};

const filteredPage = async (wanted: Wanted): Promise<Counted & { found: Found[] }> => {
  // Deeper, only a cursor goes on: every skipped row would have to be found first.
  if (wanted.offset >= limits.countedTotal) {
    fail('CB-00-0400', {
      issues: [
        { path: 'page_no', key: 'tooBig', values: { max: Math.floor(limits.countedTotal / wanted.size) } },
      ],
    });
  }
  if (wanted.conditions.some(({ few }) => few)) return matches(wanted);
  const inWindow = await windowOf(wanted);
  const isFull = inWindow.found.length > wanted.size;
  if (isFull && inWindow.share >= denseShare && (await isBeyondCounting(wanted))) {
    return { found: inWindow.found, total: limits.countedTotal, relation: 'gte' };
  }
  const matched = await matches(wanted);
  if (matched.relation === 'eq') return matched;
  return { ...matched, found: isFull ? inWindow.found : await gather(wanted) };
};

const countByLifecycle = async ({ db, scope }: Wanted, filter: SimFilter): Promise<number> => {
  const rows = await db
    .selectFrom('org_sim_counts')
    .select(['lifecycle', 'sims'])
    .where('org_id', '=', scope.orgId)
    .execute();
  const numbers = filter.lifecycle?.length
    ? filter.lifecycle.map((name) => lifecycleNumbers[name] as number)
    : undefined;
  return rows.reduce((sum, row) => (!numbers || numbers.includes(row.lifecycle) ? sum + row.sims : sum), 0);
};

/** The whole order, walked from the start or the cursor until the page is full. */
const walk = async (wanted: Wanted, count: number): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select s.id, ${shownKey(wanted.order)} as value ${from(wanted)}
    where ${and([...base(wanted), ...wanted.conditions.map(({ holds }) => holds), ...beyond(wanted)])}
    ${ordered(wanted.order)} limit ${count} offset ${wanted.offset}`.execute(wanted.db);
  return rows;
};

/** The matches as far as they are counted, and the page from them when they are all there. */
const matches = async (wanted: Wanted): Promise<Counted & { found: Found[] }> => {
  const { order, size, offset } = wanted;
  const most = limits.countedTotal;
  const { rows } = await sql<{ total: number; id: number | null; value: string | null }>`
    with matched as materialized (
      select s.id${keyColumn(order)} ${from(wanted)}
      where ${and([...base(wanted), ...wanted.conditions.map(({ holds }) => holds)])} limit ${most + 1})
    select counted.total, part.id, part.value
    from (select count(*) as total from matched) as counted
    left join lateral (
      select id, ${shownKey(order)} as value from matched
      where counted.total <= ${most} and ${and(beyond(wanted))}
      ${ordered(order)} limit ${size + 1} offset ${offset}) as part on true`.execute(wanted.db);
  const total = rows[0]?.total ?? 0;
  const found = rows.flatMap(({ id, value }) => (id === null ? [] : [{ id, value }]));
  return total > most ? { total: most, relation: 'gte', found: [] } : { total, relation: 'eq', found };
};

interface InWindow {
  found: Found[];
  /** Of the rows walked, how many matched. */
  share: number;
}

/** So many rows of the order and no more, filtered. */
const windowOf = async (wanted: Wanted): Promise<InWindow> => {
  const { order, size, offset, conditions } = wanted;
  const selected = [...new Set<Fragment>([sql`s.id`, ...keyOf(order), ...readColumns(wanted)])];
  const { rows } = await sql<Found & { position: number }>`
    select id, ${shownKey(order)} as value, position from (
      select *, row_number() over () as position from (
        select ${sql.join(selected)} ${from(wanted)}
        where ${and([...base(wanted), ...beyond(wanted)])}
        ${ordered(order)} limit ${windowRows + 4 * (offset + size)}) as walked) as within
    where ${and(conditions.map(({ holds }) => holds))}
    ${ordered(order)} limit ${size + 1} offset ${offset}`.execute(wanted.db);
  const walked = rows.at(-1)?.position ?? 0;
  return { found: rows, share: walked > 0 ? (offset + rows.length) / walked : 0 };
};

/** Whether more match than are counted, seen by walking the SIMs in the order of their making, with an end. */
const isBeyondCounting = async (wanted: Wanted): Promise<boolean> => {
  const most = limits.countedTotal;
  const selected = [...new Set<Fragment>([sql`s.id`, ...readColumns(wanted)])];
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select 1 from (
        select ${sql.join(selected)} ${from(wanted)} where ${and(base(wanted))}
        order by id limit ${most / denseShare}) as walked
      where ${and(wanted.conditions.map(({ holds }) => holds))} limit ${most + 1}) as counted`.execute(
    wanted.db,
  );
  return (rows[0]?.total ?? 0) > most;
};

const readColumns = ({ conditions }: Wanted): Fragment[] =>
  conditions.flatMap((condition) => condition.columns.map((name) => columns[name]));

/** All matches, whatever their number, sorted. `offset 0` keeps the planner from walking the order after all. */
const gather = async (wanted: Wanted): Promise<Found[]> => {
  const { order, size, offset } = wanted;
  const { rows } = await sql<Found>`
    select id, ${shownKey(order)} as value from (
      select s.id${keyColumn(order)} ${from(wanted)}
      where ${and([...base(wanted), ...wanted.conditions.map(({ holds }) => holds), ...beyond(wanted)])}
      offset 0) as matched
    ${ordered(order)} limit ${size + 1} offset ${offset}`.execute(wanted.db);
  return rows;
};

const isLive = ({ conditions }: Wanted): boolean => conditions.some(({ live }) => live);

const from = (wanted: Wanted): Fragment =>
  isLive(wanted) ? sql`from sims s join sim_live l on l.sim_id = s.id` : sql`from sims s`;

const base = (wanted: Wanted): Fragment<SqlBool>[] =>
  isLive(wanted) ? [wanted.scope.sims, wanted.scope.live] : [wanted.scope.sims];

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
