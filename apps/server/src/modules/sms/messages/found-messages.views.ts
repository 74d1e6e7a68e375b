import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import type { FieldSearch } from '../../sim/index.ts';

/** What is asked of the messages that a search finds in one way. */
export interface AskedMessages {
  orgId: number;
  /** Further conditions on messages. */
  within: readonly Fragment<SqlBool>[];
  /** Messages are counted so far. */
  most: number;
  /** So many are on the page, with those that it skips. */
  rows: number;
  /** The page has those from before this instant, and of it. */
  before: string | undefined;
  /** From here on they are looked for month by month. */
  until: Date;
  /** Set when a total of "at least" does not do. */
  isExact: boolean;
}

export interface FoundMessages {
  /** More than `most`, when there are more. */
  total: number;
  /** There may be more, though no more were counted. */
  isAtLeast?: boolean;
  /** Instants that have all messages of the page; undefined when it takes longer to find them than to walk there. */
  times: readonly (Date | string)[] | undefined;
  /** They are those of texts, the latest first and one for each, of all texts that are found up to the page. */
  isByText?: boolean;
}

/** Of a query `page` with messages from before the instant: theirs, and the instant itself. */
const instants = (before: string | undefined): Fragment => {
  const itself = before === undefined ? sql`` : sql`union select ${before}::timestamptz`;
  return sql`array(select distinct at from page ${itself})`;
};

/** Maximum length of a list of values in a statement: each value is considered when the statement is planned. */
const listed = 50;

/** Condition on messages: of these SIMs. */
export const ofSimIds = (ids: readonly number[]): Fragment<SqlBool> =>
  ids.length <= listed
    ? sql<SqlBool>`sim_id = any(${ids}::bigint[])`
    : sql<SqlBool>`(sim_id in (select unnest(${ids}::bigint[]))) is true`;

/**
 * All messages of these SIMs for which that holds, each found by its SIM: their ids as a query, as the planner would else look at each
 * of many values, and compare each message with all of the SIMs where it takes most messages to be theirs.
 */
export const messagesOf = (
  asked: AskedMessages,
  ids: Fragment,
  holds: readonly Fragment<SqlBool>[] = [],
): Fragment =>
  sql`sms_messages where ${and([ofAsked(asked), ...holds])} and sim_id = any((select ${ids})::bigint[])`;

/** Condition on messages: what is asked for beside the search. */
export const ofAsked = ({ orgId, within }: AskedMessages): Fragment<SqlBool> =>
  and([sql<SqlBool>`org_id = ${orgId}`, ...within]);

/** Condition on messages: they say it. */
export const messageSays = ({ like }: FieldSearch) =>
  sql<SqlBool>`sms_search_text(content) like folded(${like})`;

/** Those of the latest `rows` messages up to the page that the search finds. */
export const latestOf = (asked: AskedMessages, rows: number, holds: Fragment): Fragment => {
  const isUntil = asked.before === undefined ? sql`true` : sql`at <= ${asked.before}::timestamptz`;
  return sql`(
    select sim_id, at, id, content from sms_messages where ${ofAsked(asked)} and ${isUntil}
    order by at desc, id desc limit ${rows}) as latest where ${holds}`;
};

export interface ReadMessages {
  total: number;
  /** More than are on the page, when there are more. */
  messages: number;
  times: readonly Date[];
}

/** So many messages with their times in milliseconds, the latest first; after `from` and `where`. */
export const listTimes = async (db: Db, messages: Fragment, most: number): Promise<number[]> => {
  const { rows } = await sql<{ times: number[] }>`
    select coalesce(json_agg((extract(epoch from at) * 1000)::float8), '[]') as times
    from (select at from ${messages} order by at desc limit ${most}) as messages`.execute(db);
  return rows[0]?.times ?? [];
};

/** A stretch of time, without its end; of what is left out it has none. */
export interface Stretch {
  from?: Date;
  to?: Date;
}

/** Condition on messages, and on texts. */
export const inStretch = ({ from, to }: Stretch): Fragment<SqlBool> =>
  and([...(from ? [sql<SqlBool>`at >= ${from}`] : []), ...(to ? [sql<SqlBool>`at < ${to}`] : [])]);

const dayMs = 86_400_000;
const keptMonths = 14;
/** More months than these are not read without all that are left. */
const atOnce = 3;

/**
 * What is read of the months before an instant, the last one first, until there is enough: of as many months at once as
 * those before let expect.
 */
export const byMonths = async <Found>(
  { until, enough }: { until: Date; enough: number },
  read: (stretch: Stretch) => Promise<readonly Found[]>,
): Promise<{ found: Found[]; isAll: boolean }> => {
  const month = (ago: number) => new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - ago, 1));
  const found: Found[] = [];
  for (let [ago, to] = [0, undefined as Date | undefined]; ; ) {
    const from = ago < keptMonths ? month(ago) : undefined;
    found.push(...(await read({ ...(from && { from }), ...(to && { to }) })));
    if (!from || found.length >= enough) return { found, isAll: !from };
    const perMonth = (found.length / Math.max(dayMs, until.getTime() - from.getTime())) * 30 * dayMs;
    const months = Math.max(1, Math.round((enough - found.length) / perMonth));
    [ago, to] = [months > atOnce ? keptMonths : ago + months, from];
  }
};

/** Counts messages as far as is asked, and finds when those of the page were sent or received; both after `from` and `where`. */
export const readMessages = async (
  db: Db,
  { most, rows: size, before }: AskedMessages,
  { counted, page }: { counted: Fragment; page: Fragment },
): Promise<ReadMessages> => {
  const isBefore = before === undefined ? sql`true` : sql`at < ${before}::timestamptz`;
  const { rows } = await sql<ReadMessages>`
    with page as materialized (
      select at from ${page} and ${isBefore} order by at desc limit ${size + 1})
    select (select count(*)::int from (select from ${counted} limit ${most + 1}) as counted) as total,
      (select count(*)::int from page) as messages, ${instants(before)} as times`.execute(db);
  return rows[0] ?? { total: 0, messages: 0, times: [] };
};

/** As many messages as are counted, or are on the page. */
export const mostOf = ({ most, rows }: AskedMessages): number => Math.max(most, rows);

/** Messages of these SIMs for which that holds, month by month until there are enough. */
export const findByMonth = async (
  db: Db,
  {
    asked,
    ids,
    holds,
    enough,
  }: {
    asked: AskedMessages;
    ids: readonly number[];
    holds: readonly Fragment<SqlBool>[];
    enough: number;
  },
): Promise<FoundMessages> => {
  const { before, until } = asked;
  const most = mostOf(asked);
  const halves = [0, 1].map((half) => ids.filter((_, index) => index % 2 === half));
  // Each is a place of its own in the table: two connections look at half of them each.
  const list = async (within: Fragment<SqlBool>): Promise<number[]> => {
    const found = await Promise.all(
      halves.map((half) =>
        listTimes(db, messagesOf(asked, sql`${half}::bigint[]`, [...holds, within]), most + 1),
      ),
    );
    return found.flat().toSorted((a, b) => b - a);
  };
  const { found, isAll } = await byMonths({ until, enough: enough + 1 }, (stretch) =>
    list(inStretch(stretch)),
  );
  return {
    ...{ total: found.length, isAtLeast: !isAll },
    times: before === undefined || isAll ? found.map((at) => new Date(at)) : await timesByMonth(asked, list),
  };
};

/** When messages of the page were sent or received, looked for month by month. */
export const timesByMonth = async (
  { rows, before, until }: AskedMessages,
  list: (within: Fragment<SqlBool>) => Promise<readonly number[]>,
): Promise<(Date | string)[]> => {
  const end = before === undefined ? until : new Date(before);
  const isEarlier = before === undefined ? sql<SqlBool>`true` : sql<SqlBool>`at < ${before}::timestamptz`;
  const { found } = await byMonths({ until: end, enough: rows + 1 }, (stretch) =>
    list(and([inStretch(stretch), isEarlier])),
  );
  return [...(before === undefined ? [] : [before]), ...found.slice(0, rows + 1).map((at) => new Date(at))];
};

/** Fewer messages are read sooner than skipped. */
const leastSkipped = 100;

/**
 * How many of these instants of texts, the latest first, have none of the page: an index alone tells whether each has one message,
 * its text's. Those of one instant stay together.
 */
export const skippedTimes = async (
  db: Db,
  { orgId, times, skipped }: { orgId: number; times: readonly (Date | string)[]; skipped: number },
): Promise<number> => {
  const instants = times.map((time) => new Date(time).getTime());
  const before = instants.slice(0, instants.indexOf(instants[skipped] ?? Number.NaN));
  if (before.length < leastSkipped) return 0;
  const { rows } = await sql<{ messages: number }>`
    select count(*)::int as messages from sms_messages
    where org_id = ${orgId} and ${atInstants(before)}`.execute(db);
  return rows[0]?.messages === before.length ? before.length : 0;
};

/** Condition on messages, of these milliseconds: as a query, as each of many values would be looked at when the statement is planned. */
export const atInstants = (instants: readonly number[]): Fragment<SqlBool> => {
  const ordered = instants.toSorted((a, b) => a - b);
  const [from, to] = [new Date(ordered[0] ?? 0), new Date((ordered.at(-1) ?? 0) + 1)];
  const times = ordered.map((instant) => new Date(instant));
  return sql<SqlBool>`at = any((select ${times}::timestamptz[])::timestamptz[]) and at >= ${from} and at < ${to}`;
};
