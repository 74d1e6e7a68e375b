import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import { type FieldSearch, foundShort, tagsLike } from '../../sim/index.ts';
import { type AskedMessages, type FoundMessages, instants } from './found-messages.views.ts';

/** What the SIMs of an organisation are searched for. */
export interface SimSearch {
  orgId: number;
  text: string;
  pattern: FieldSearch;
}

/** The SIMs that are found by an identifier or their name. */
export interface FoundSims {
  /** As many of them as were asked for. */
  ids: readonly number[];
  /** There are no others. */
  isEach: boolean;
  /** Condition on messages: of one of them. */
  holds: Fragment<SqlBool>;
  findMore: (most: number) => Promise<FoundSims>;
}

/** More SIMs than these are found by a look at that of each message. */
const named = 1000;
/** So many of the latest messages are looked at; where they have too few of the SIMs, these are named after all. */
const lookedAt = 4000;
const namedAtMost = 20_000;

export const findSims = async (db: Db, search: SimSearch): Promise<FoundSims> => {
  const { orgId, text, pattern } = search;
  const tags = pattern.indexed === undefined ? await tagsLike(db, { orgId }, inField(pattern)) : [];
  const matching = matchingSims(search, tags);
  const findMore = async (most: number): Promise<FoundSims> => {
    const { rows } = await sql<{ id: number }>`
      select s.id from sims s where ${matching}
      union select s.id from sims s where s.iccid = ${text} or s.msisdn = ${text}
      limit ${most + 1}`.execute(db);
    const ids = rows.map(({ id }) => id);
    const isEach = ids.length <= most;
    const looked = sql<SqlBool>`exists (select from sims s where s.id = sim_id and ${matching})`;
    return { ids, isEach, holds: isEach ? ofIds(ids) : looked, findMore };
  };
  return findMore(named);
};

const ofIds = (ids: readonly number[]) => sql<SqlBool>`sim_id = any(${ids}::bigint[])`;

/** Condition on SIMs (`s`). */
const matchingSims = ({ orgId, text, pattern }: SimSearch, tags: readonly string[]): Fragment<SqlBool> => {
  const { indexed } = pattern;
  const lookup =
    indexed === undefined
      ? sql<SqlBool>`(${foundShort(text)} or s.tags && ${[...tags]}::text[])`
      : sql<SqlBool>`s.search_text like folded(${indexed})`;
  // As an expression that no index has: of one letter or two that of search_text would find everything.
  return sql<SqlBool>`s.org_id = ${orgId} and ${lookup} and s.search_text || '' like folded(${inField(pattern)})`;
};

const inField = ({ like, atStart }: FieldSearch): string => (atStart ? `%\n${like}` : like);

/** Messages of SIMs that were found. */
export const findOfSims = async (
  db: Db,
  { sims, asked }: { sims: FoundSims; asked: AskedMessages },
): Promise<FoundMessages> => {
  if (sims.ids.length === 0) return { total: 0, times: [] };
  const ofOrg = and([sql<SqlBool>`org_id = ${asked.orgId}`, ...asked.within]);
  const all = sql`sms_messages where ${ofOrg} and ${sims.holds}`;
  if (sims.isEach) {
    const { total, times } = await read(db, asked, { counted: all, page: all });
    return { total, times };
  }
  const isUntil = asked.before === undefined ? sql`true` : sql`at <= ${asked.before}::timestamptz`;
  const latest = sql`(
    select sim_id, at, id from sms_messages where ${ofOrg} and ${isUntil} order by at desc, id desc limit ${lookedAt})
    as latest where ${sims.holds}`;
  const some = sql`sms_messages where ${ofOrg} and ${ofIds(sims.ids)}`;
  const { total, messages, times } = await read(db, asked, { counted: some, page: latest });
  if (total > asked.most && messages > asked.rows) return { total, times };
  const more = await sims.findMore(namedAtMost);
  if (more.isEach) return findOfSims(db, { sims: more, asked });
  return { total: (await read(db, asked, { counted: all, page: latest })).total, times: undefined };
};

const read = async (
  db: Db,
  { most, rows: size, before }: AskedMessages,
  from: { counted: Fragment; page: Fragment },
): Promise<{ total: number; messages: number; times: Date[] }> => {
  const isBefore = before === undefined ? sql`true` : sql`at < ${before}::timestamptz`;
  const { rows } = await sql<{ total: number; messages: number; times: Date[] }>`
    with page as materialized (
      select at from ${from.page} and ${isBefore} order by at desc, id desc limit ${size + 1})
    select (select count(*)::int from (select from ${from.counted} limit ${most + 1}) as counted) as total,
      (select count(*)::int from page) as messages, ${instants(before)} as times`.execute(db);
  return rows[0] ?? { total: 0, messages: 0, times: [] };
};
