import { dayMs } from '@simcube/contract/time';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import type { FieldSearch } from '../../sim/index.ts';

/** A query for the messages that a search finds in one way. */
export interface MessageQuery {
  orgId: number;
  /** Further conditions on messages. */
  conditions: readonly Fragment<SqlBool>[];
  /** Messages are counted up to this number. */
  countLimit: number;
  /** Number of messages on the page, including those it skips. */
  rows: number;
  /** The page has messages from this instant or earlier. */
  before: string | undefined;
  /** Start of the month-by-month search, backwards. */
  until: Date;
  /** Whether a total of "at least" does not suffice. */
  isExact: boolean;
}

export interface MessageMatches {
  /** Greater than `countLimit` if there are more. */
  total: number;
  /** Whether there may be more than were counted. */
  isAtLeast?: boolean;
  /** Instants that include all messages of the page; undefined if scanning messages in order is faster than finding them. */
  times: readonly (Date | string)[] | undefined;
  /** Whether they are the instants of all texts found up to the page, latest first and one for each text. */
  isByText?: boolean;
}

/** The instants of a query `page` with messages from before the instant, and the instant itself. */
const instants = (before: string | undefined): Fragment => {
  const itself = before === undefined ? sql`` : sql`union select ${before}::timestamptz`;
  return sql`array(select distinct at from page ${itself})`;
};

/** Maximum length of a list of literal values: the planner considers each value. */
const maxLiterals = 50;

/** Condition on messages: of these SIMs. */
export const ofSimIds = (ids: readonly number[]): Fragment<SqlBool> =>
  ids.length <= maxLiterals
    ? sql<SqlBool>`sim_id = any(${ids}::bigint[])`
    : sql<SqlBool>`(sim_id in (select unnest(${ids}::bigint[]))) is true`;

/**
 * All messages of these SIMs that meet the conditions, found by SIM. The ids are a subquery: the planner would
 * otherwise consider each of many values, and, if it expects most messages to be theirs, compare each message with
 * all SIMs.
 */
export const messagesOfSims = (
  query: MessageQuery,
  ids: Fragment,
  holds: readonly Fragment<SqlBool>[] = [],
): Fragment =>
  sql`sms_messages where ${and([matchesQuery(query), ...holds])} and sim_id = any((select ${ids})::bigint[])`;

/** Condition on messages: everything except the search. */
export const matchesQuery = ({ orgId, conditions }: MessageQuery): Fragment<SqlBool> =>
  and([sql<SqlBool>`org_id = ${orgId}`, ...conditions]);

/** Condition on messages: they contain the text. */
export const messageContains = ({ like }: FieldSearch) =>
  sql<SqlBool>`sms_search_text(content) like folded(${like})`;

/** The matching messages among the latest `rows` up to the page. */
export const matchesAmongLatest = (query: MessageQuery, rows: number, holds: Fragment): Fragment => {
  const isUntil = query.before === undefined ? sql`true` : sql`at <= ${query.before}::timestamptz`;
  return sql`(
    select sim_id, at, id, content from sms_messages where ${matchesQuery(query)} and ${isUntil}
    order by at desc, id desc limit ${rows}) as latest where ${holds}`;
};

export interface CountedPage {
  total: number;
  /** Greater than the page if there are more. */
  messages: number;
  times: readonly Date[];
}

/** Times of messages in milliseconds, latest first, up to a maximum; `messages` follows `from`, with `where`. */
export const listTimes = async (db: Db, messages: Fragment, countLimit: number): Promise<number[]> => {
  const { rows } = await sql<{ times: number[] }>`
    select coalesce(json_agg((extract(epoch from at) * 1000)::float8), '[]') as times
    from (select at from ${messages} order by at desc limit ${countLimit}) as messages`.execute(db);
  return rows[0]?.times ?? [];
};

/** A span of time, with an exclusive end; an omitted bound is open. */
export interface TimeRange {
  from?: Date;
  to?: Date;
}

/** Condition on messages, and on texts. */
export const inTimeRange = ({ from, to }: TimeRange): Fragment<SqlBool> =>
  and([...(from ? [sql<SqlBool>`at >= ${from}`] : []), ...(to ? [sql<SqlBool>`at < ${to}`] : [])]);

const retainedMonths = 14;
/** If more months than this would be read together, all remaining ones are. */
const maxMonthsTogether = 3;

/**
 * Reads the months before an instant, last one first, until there is enough; several months together if the previous
 * ones suggest it.
 */
export const readByMonth = async <Item>(
  { until, enough }: { until: Date; enough: number },
  read: (range: TimeRange) => Promise<readonly Item[]>,
): Promise<{ found: Item[]; isAll: boolean }> => {
  const month = (ago: number) => new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - ago, 1));
  const found: Item[] = [];
  for (let [ago, to] = [0, undefined as Date | undefined]; ; ) {
    const from = ago < retainedMonths ? month(ago) : undefined;
    found.push(...(await read({ ...(from && { from }), ...(to && { to }) })));
    if (!from || found.length >= enough) return { found, isAll: !from };
    const perMonth = (found.length / Math.max(dayMs, until.getTime() - from.getTime())) * 30 * dayMs;
    const months = Math.max(1, Math.round((enough - found.length) / perMonth));
    [ago, to] = [months > maxMonthsTogether ? retainedMonths : ago + months, from];
  }
};

/** Counts messages as far as necessary, and finds the times of those on the page; both queries follow `from`, with `where`. */
export const readCountedPage = async (
  db: Db,
  { countLimit, rows: size, before }: MessageQuery,
  { counted, page }: { counted: Fragment; page: Fragment },
): Promise<CountedPage> => {
  const isBefore = before === undefined ? sql`true` : sql`at < ${before}::timestamptz`;
  const { rows } = await sql<CountedPage>`
    with page as materialized (
      select at from ${page} and ${isBefore} order by at desc limit ${size + 1})
    select (select count(*)::int from (select from ${counted} limit ${countLimit + 1}) as counted) as total,
      (select count(*)::int from page) as messages, ${instants(before)} as times`.execute(db);
  return rows[0] ?? { total: 0, messages: 0, times: [] };
};

/** The number of messages needed, for the count or the page. */
export const neededMessages = ({ countLimit, rows }: MessageQuery): number => Math.max(countLimit, rows);

/** Messages of these SIMs that meet the conditions, month by month until there are enough. */
export const findByMonth = async (
  db: Db,
  {
    query,
    ids,
    holds,
    enough,
  }: {
    query: MessageQuery;
    ids: readonly number[];
    holds: readonly Fragment<SqlBool>[];
    enough: number;
  },
): Promise<MessageMatches> => {
  const { before, until } = query;
  const countLimit = neededMessages(query);
  const halves = [0, 1].map((half) => ids.filter((_, index) => index % 2 === half));
  // The SIMs' messages are scattered over the table, so two connections read half of them each.
  const list = async (conditions: Fragment<SqlBool>): Promise<number[]> => {
    const found = await Promise.all(
      halves.map((half) =>
        listTimes(db, messagesOfSims(query, sql`${half}::bigint[]`, [...holds, conditions]), countLimit + 1),
      ),
    );
    return found.flat().toSorted((a, b) => b - a);
  };
  const { found, isAll } = await readByMonth({ until, enough: enough + 1 }, (range) =>
    list(inTimeRange(range)),
  );
  return {
    total: found.length,
    isAtLeast: !isAll,
    times:
      before === undefined || isAll ? found.map((at) => new Date(at)) : await listTimesByMonth(query, list),
  };
};

/** Times of messages on the page, found month by month. */
export const listTimesByMonth = async (
  { rows, before, until }: MessageQuery,
  list: (conditions: Fragment<SqlBool>) => Promise<readonly number[]>,
): Promise<(Date | string)[]> => {
  const end = before === undefined ? until : new Date(before);
  const isEarlier = before === undefined ? sql<SqlBool>`true` : sql<SqlBool>`at < ${before}::timestamptz`;
  const { found } = await readByMonth({ until: end, enough: rows + 1 }, (range) =>
    list(and([inTimeRange(range), isEarlier])),
  );
  return [...(before === undefined ? [] : [before]), ...found.slice(0, rows + 1).map((at) => new Date(at))];
};

/** Fewer messages than this are faster to read than to skip. */
const minSkipped = 100;

/**
 * How many of these instants of texts, latest first, are before the page. An index alone shows whether each has
 * exactly one message, that of its text. Messages of one instant stay together.
 */
export const countSkippedTimes = async (
  db: Db,
  { orgId, times, skipped }: { orgId: number; times: readonly (Date | string)[]; skipped: number },
): Promise<number> => {
  const instants = times.map((time) => new Date(time).getTime());
  const before = instants.slice(0, instants.indexOf(instants[skipped] ?? Number.NaN));
  if (before.length < minSkipped) return 0;
  const { rows } = await sql<{ messages: number }>`
    select count(*)::int as messages from sms_messages
    where org_id = ${orgId} and ${atInstants(before)}`.execute(db);
  return rows[0]?.messages === before.length ? before.length : 0;
};

/** Condition on messages: at these milliseconds. As a subquery, because the planner would consider each of many values. */
export const atInstants = (instants: readonly number[]): Fragment<SqlBool> => {
  const ordered = instants.toSorted((a, b) => a - b);
  const [from, to] = [new Date(ordered[0] ?? 0), new Date((ordered.at(-1) ?? 0) + 1)];
  const times = ordered.map((instant) => new Date(instant));
  return sql<SqlBool>`at = any((select ${times}::timestamptz[])::timestamptz[]) and at >= ${from} and at < ${to}`;
};
