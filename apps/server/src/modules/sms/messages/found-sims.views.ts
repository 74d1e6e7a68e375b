import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Fragment } from '../../../platform/lists/index.ts';
import { type FieldSearch, foundShort, orgSims, scopedTo, simsBy, tagsLike } from '../../sim/index.ts';
import {
  type AskedMessages,
  type FoundMessages,
  latestOf,
  listTimes,
  messagesOf,
  ofSimIds,
  readMessages,
  timesByMonth,
} from './found-messages.views.ts';

/** What the SIMs of an organisation are searched for. */
export interface SimSearch {
  orgId: number;
  text: string;
  pattern: FieldSearch;
  /** Set when these SIMs alone are asked for. */
  simIds: readonly number[] | undefined;
}

/** The SIMs that are found by an identifier or their name. */
export interface FoundSims {
  /** As many of them as are known. */
  ids: readonly number[];
  /** There are no others. */
  isEach: boolean;
  /** Of what part of the messages they are, and of how many SIMs, where that is known instead. */
  share: number;
  of: number;
  /** Condition on messages: of one of them. */
  holds: Fragment<SqlBool>;
  /** Names them, up to so many; undefined when there are more. */
  findAll: (most: number) => Promise<readonly number[] | undefined>;
}

/**
 * So many of the latest messages tell how many are of SIMs that are found: the first of them whether more than one SIM is, and
 * where few messages are, all of them.
 */
const sampled = { first: 500, few: 7, all: 1000 };
/** More SIMs than these are not named, and of more than a few no message is compared with all. */
const named = { most: 30_000, few: 1000 };
/** What it costs to ask the index of SIMs, in reads of one in so many of all SIMs; to look at a message's SIM costs two. */
const asking = 100;

export const findSims = async (db: Db, search: SimSearch): Promise<FoundSims> => {
  const { orgId, text, pattern, simIds } = search;
  const { sims: own, simsBeside } = scopedTo({ id: orgId });
  // As an expression that no index has: of one letter or two that of search_text would find everything.
  const isFound = sql<SqlBool>`s.search_text || '' like folded(${inField(pattern)})`;
  const identified = sql`select i.sim_id from ${sql.raw(simsBy('iccid', 'msisdn'))} i where i.value = ${text}`;
  if (simIds) {
    const given = sql`unnest(${simIds}::bigint[]) as given (id)`;
    return these(
      await idsOf(
        db,
        sql`select s.id from ${given} join sims s using (id) where ${own} and ${isFound}
          union (${identified} intersect select id from ${given})`,
      ),
    );
  }
  const holds = sql<SqlBool>`(exists (select from sims s where s.id = sim_id and ${own} and ${isFound})
    or sim_id in (${identified}))`;
  const [first, { sims: of, isMost }, tags] = await Promise.all([
    takeSample(db, orgId, { holds, rows: sampled.first }),
    orgSims(db, { orgId }),
    pattern.indexed === undefined ? tagsLike(db, { orgId }, inField(pattern)) : [],
  ]);
  if (first.messages < sampled.first) return these(first.ids);
  const isUnclear = first.ids.length > 1 && first.found < sampled.few;
  const sample = isUnclear ? await takeSample(db, orgId, { holds, rows: sampled.all }) : first;
  const findAll = async (most: number): Promise<readonly number[] | undefined> => {
    const looked = sql`select s.id from sims s
      where ${isMost ? simsBeside : own} and ${lookup(search, tags)} and ${isFound} limit ${most + 1}`;
    const ids = await idsOf(db, sql`(${looked}) union (${identified})`);
    return ids.length > most ? undefined : ids;
  };
  return { ids: sample.ids, isEach: false, share: sample.found / sample.messages, of, holds, findAll };
};

const idsOf = async (db: Db, found: Fragment): Promise<number[]> => {
  const { rows } = await sql<{
    ids: number[];
  }>`select coalesce(json_agg(id), '[]') as ids from (${found}) as found (id)`.execute(db);
  return rows[0]?.ids ?? [];
};

interface Sample {
  messages: number;
  /** How many of them are of SIMs that are found, */
  found: number;
  /** which are these. */
  ids: number[];
}

/** Of the latest messages those that are of SIMs that are found. */
const takeSample = async (
  db: Db,
  orgId: number,
  { holds, rows: walked }: { holds: Fragment<SqlBool>; rows: number },
): Promise<Sample> => {
  const { rows } = await sql<Sample>`
    with latest as materialized (
      select sim_id, ${holds} as is_found from (
        select sim_id from sms_messages where org_id = ${orgId} order by at desc, id desc
        limit ${walked}) as latest)
    select count(*)::int as messages, count(*) filter (where is_found)::int as found,
      coalesce(json_agg(distinct sim_id) filter (where is_found), '[]') as ids
    from latest`.execute(db);
  return rows[0] ?? { messages: 0, found: 0, ids: [] };
};

/** What follows for SIMs (`s`) that are found, and an index knows. */
const lookup = ({ text, pattern }: SimSearch, tags: readonly string[]): Fragment<SqlBool> => {
  const { indexed } = pattern;
  return indexed === undefined
    ? sql<SqlBool>`(${foundShort(text)} or s.tags && ${[...tags]}::text[])`
    : sql<SqlBool>`s.search_text like folded(${indexed})`;
};

const inField = ({ like, atStart }: FieldSearch): string => (atStart ? `%\n${like}` : like);

/** The same with each of them named, unless it is quicker to find the page by a look at the SIM of each message. */
export const namedSims = async (
  sims: FoundSims,
  { rows, most, isExact }: Pick<AskedMessages, 'rows' | 'most' | 'isExact'>,
): Promise<FoundSims> => {
  const reads = sims.share * sims.of + sims.of / asking;
  const isWalked = !isExact && (2 * rows) / sims.share < reads;
  if (sims.isEach || isWalked) return sims;
  const ids = await sims.findAll(isExact ? Math.max(named.most, most) : named.most);
  if (!ids) return { ...sims, share: 0, findAll: () => Promise.resolve(undefined) };
  return ids.length <= named.few ? these(ids) : { ...these(ids), holds: sims.holds };
};

const these = (ids: readonly number[]): FoundSims => ({
  ...{ ids, isEach: true, share: 0, of: 0, holds: ofSimIds(ids), findAll: () => Promise.resolve(ids) },
});

/** Messages of SIMs that were found. */
export const findOfSims = async (
  db: Db,
  { sims, asked }: { sims: FoundSims; asked: AskedMessages },
): Promise<FoundMessages> => {
  if (sims.isEach) return findOf(db, { asked, ids: sims.ids });
  const page = sims.share > 0 ? latestOf(asked, Math.ceil((2 * asked.rows) / sims.share), sims.holds) : none;
  const near = await readMessages(db, asked, { counted: messagesOf(asked, sims.ids), page });
  const known = { total: Math.max(near.total, near.messages), isAtLeast: true };
  if (near.messages > asked.rows) return { ...known, times: near.times };
  const ids = await sims.findAll(named.most);
  return ids ? findOf(db, { asked, ids }) : { ...known, times: undefined };
};

const none = sql`sms_messages where false`;

/** Messages of no more SIMs are all sorted for a page. */
const sortedSims = 20;

/** Messages of these SIMs. Those of many are far apart: they are looked for month by month. */
const findOf = async (
  db: Db,
  { asked, ids }: { asked: AskedMessages; ids: readonly number[] },
): Promise<FoundMessages> => {
  if (ids.length === 0) return { total: 0, times: [] };
  const all = messagesOf(asked, ids);
  if (ids.length <= sortedSims) return readMessages(db, asked, { counted: all, page: all });
  const [{ total }, times] = await Promise.all([
    readMessages(db, asked, { counted: all, page: none }),
    timesByMonth(asked, (within) => listTimes(db, messagesOf(asked, ids, [within]), asked.rows + 1)),
  ]);
  return { total, times };
};
