import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import type { FieldSearch } from '../../sim/index.ts';

/** What is asked of the messages that a search finds in one way. */
export interface AskedMessages {
  orgId: number;
  /** Further conditions on messages. */
  within: readonly Fragment<SqlBool>[];
  /** Set when messages of these SIMs alone are asked for. */
  simIds?: readonly number[] | undefined;
  /** Messages are counted so far. */
  most: number;
  /** So many are on the page, with those that it skips. */
  rows: number;
  /** The page has those from before this instant, and of it. */
  before: string | undefined;
}

export interface FoundMessages {
  /** More than `most`, when there are more. */
  total: number;
  /** There may be more, though no more were counted. */
  isAtLeast?: boolean;
  /** Instants that have all messages of the page; undefined when it takes longer to find them than to walk there. */
  times: readonly (Date | string)[] | undefined;
}

/** Of a query `page` with messages from before the instant: theirs, and the instant itself. */
const instants = (before: string | undefined): Fragment => {
  const itself = before === undefined ? sql`` : sql`union select ${before}::timestamptz`;
  return sql`array(select distinct at from page ${itself})`;
};

/** More than so many are no list of values: each would be looked at when the statement is planned. */
const listed = 50;

/** Condition on messages: of these SIMs. */
export const ofSimIds = (ids: readonly number[]): Fragment<SqlBool> =>
  ids.length <= listed
    ? sql<SqlBool>`sim_id = any(${ids}::bigint[])`
    : sql<SqlBool>`(sim_id in (select unnest(${ids}::bigint[]))) is true`;

/** All messages of these SIMs, each found by its SIM. */
export const messagesOf = (asked: AskedMessages, ids: readonly number[]): Fragment =>
  ids.length <= listed
    ? sql`sms_messages where ${ofAsked(asked)} and ${ofSimIds(ids)}`
    : sql`unnest(${ids}::bigint[]) as found (sim) join sms_messages on sim_id = sim where ${ofAsked(asked)}`;

/** Condition on messages: what is asked for beside the search. */
export const ofAsked = ({ orgId, within, simIds }: AskedMessages): Fragment<SqlBool> =>
  and([sql<SqlBool>`org_id = ${orgId}`, ...within, ...(simIds ? [ofSimIds(simIds)] : [])]);

/** Condition on messages: they say it. */
export const messageSays = ({ like }: FieldSearch) =>
  sql<SqlBool>`sms_search_text(content) like folded(${like})`;

/** Of so many of the latest messages up to the page, those that the search finds. */
export const latestOf = (asked: AskedMessages, rows: number, holds: Fragment): Fragment => {
  const isUntil = asked.before === undefined ? sql`true` : sql`at <= ${asked.before}::timestamptz`;
  return sql`(
    select sim_id, at, id, content
    from ${asked.simIds ? messagesOf(asked, asked.simIds) : sql`sms_messages where ${ofAsked(asked)}`} and ${isUntil}
    order by at desc, id desc limit ${rows}) as latest where ${holds}`;
};

export interface ReadMessages {
  total: number;
  /** More than are on the page, when there are more. */
  messages: number;
  times: readonly Date[];
}

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
