import { folded } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import {
  type FieldSearch,
  findTagsLike,
  matchesShortText,
  matchesWords,
  orgSims,
  scopedTo,
  simsBy,
  wholeIdentifier,
} from '../../sim/index.ts';
import {
  findByMonth,
  listTimes,
  listTimesByMonth,
  type MessageMatches,
  type MessageQuery,
  matchesQuery,
  messagesOfSims,
  neededMessages,
  ofSimIds,
  readCountedPage,
} from './message-query.views.ts';

/** A search for SIMs of an organisation. */
export interface SimSearch {
  orgId: number;
  text: string;
  pattern: FieldSearch;
  /** Limits the search to these SIMs. */
  simIds: readonly number[] | undefined;
}

/** The SIMs that match by an identifier, name, note or tag. */
export interface MatchingSims {
  /** Whether they are listed in `ids`. */
  isListed: boolean;
  ids: readonly number[];
  /** If they are not listed: the sample of latest messages, and the organisation's number of SIMs. */
  sample: Scan;
  simCount: number;
  /** Condition on messages: of one of these SIMs. */
  holds: Fragment<SqlBool>;
  /** Their ids, as a query that may return duplicates. */
  all: Fragment;
}

/** Messages scanned in order, each with its SIM. */
interface Scan {
  messages: number;
  /** When those of matching SIMs were sent or received, in milliseconds, latest first. */
  times: number[];
  /** Whether there were no more messages. */
  isAll: boolean;
}

/**
 * The latest messages, from which the share of matching SIMs is estimated: `first`, and `more` if there are some
 * matches, but fewer than `few`.
 */
const sampleSize = { first: 500, few: 7, more: 1000 };
/** More SIMs than `max` are not listed; with more than `few`, messages are not compared with a list of SIMs. */
const listLimits = { max: 10_000, few: 1000 };
/**
 * Costs in units of scanning one message with its SIM: `perSim` for finding one SIM and its messages by index; using
 * the index at all costs the total number of SIMs divided by `simsPerIndexUse`.
 */
const cost = { perSim: 3, simsPerIndexUse: 400 };

export const findSims = async (db: Db, search: SimSearch): Promise<MatchingSims> => {
  const { orgId, text, pattern, simIds } = search;
  const { sims: own, simsUnindexed: simsBeside } = scopedTo({ id: orgId });
  // An expression that matches no index: for one or two letters, the index of search_text would return everything.
  const isMatch = sql<SqlBool>`s.search_text || '' like folded(${inField(pattern)})`;
  const identified = sql`select i.sim_id from ${sql.raw(simsBy('iccid', 'msisdn'))} i where i.value = ${wholeIdentifier(text) ?? text}`;
  if (simIds) {
    const given = sql`unnest(${simIds}::bigint[]) as given (id)`;
    return listedSims(
      await idsOf(
        db,
        sql`select s.id from ${given} join sims s using (id) where ${own} and ${isMatch}
          union (${identified} intersect select id from ${given})`,
      ),
    );
  }
  const holds = sql<SqlBool>`(exists (select from sims s where s.id = sim_id and ${own} and ${isMatch})
    or sim_id in (${identified}))`;
  const ofOrg = sql<SqlBool>`org_id = ${orgId}`;
  const [first, { sims: simCount, isMost }, tags] = await Promise.all([
    scan(db, { messages: ofOrg, holds, skipped: 0, rows: sampleSize.first }),
    orgSims(db, { orgId }),
    isIdentifying(search) ? [] : findTagsLike(db, { orgId }, inField(pattern)),
  ]);
  if (first.isAll) return listedSims(first.ids);
  const isUnclear = first.times.length > 0 && first.times.length < sampleSize.few;
  const sample = isUnclear
    ? await scanMore(db, first, { messages: ofOrg, holds, rows: sampleSize.more })
    : first;
  const all = sql`(select s.id from sims s where ${isMost ? simsBeside : own} and ${indexedCondition(search, tags)} and ${isMatch})
    union all (${identified})`;
  return { isListed: false, ids: [], sample, simCount, holds, all };
};

const idsOf = async (db: Db, found: Fragment): Promise<number[]> => {
  const { rows } = await sql<{
    ids: number[];
  }>`select coalesce(json_agg(id), '[]') as ids from (${found}) as found (id)`.execute(db);
  return rows[0]?.ids ?? [];
};

/** Undefined if there are more than `limit`. */
const listMatchingIds = async (
  db: Db,
  { all }: MatchingSims,
  limit: number,
): Promise<number[] | undefined> => {
  const ids = await idsOf(db, sql`${all} limit ${limit + 1}`);
  return ids.length > limit ? undefined : [...new Set(ids)];
};

interface ScanQuery {
  /** Condition on messages. */
  messages: Fragment<SqlBool>;
  /** Condition: the SIM matches. */
  holds: Fragment<SqlBool>;
  rows: number;
}

/** Scans `rows` messages after the first `skipped`, and finds which of their SIMs match. */
const scan = async (
  db: Db,
  { messages, holds, rows: limit, skipped }: ScanQuery & { skipped: number },
): Promise<Scan & { ids: number[] }> => {
  const { rows } = await sql<{ messages: number; times: number[]; ids: number[] }>`
    with latest as materialized (
      select sim_id, at, ${holds} as is_found from (
        select sim_id, at from sms_messages where ${messages} order by at desc, id desc
        limit ${limit} offset ${skipped}) as latest)
    select count(*)::int as messages,
      coalesce(json_agg((extract(epoch from at) * 1000)::float8 order by at desc) filter (where is_found), '[]') as times,
      coalesce(json_agg(distinct sim_id) filter (where is_found), '[]') as ids
    from latest`.execute(db);
  const { messages: scannedMessages, times, ids } = rows[0] ?? { messages: 0, times: [], ids: [] };
  return { messages: scannedMessages, times, ids, isAll: scannedMessages < limit };
};

/** Scans `rows` more messages. Their SIMs are scattered over the table, so two connections scan half of them each. */
const scanMore = async (db: Db, before: Scan, scanQuery: ScanQuery): Promise<Scan> => {
  const half = Math.ceil(scanQuery.rows / 2);
  const halves = await Promise.all(
    [before.messages, before.messages + half].map((skipped) =>
      scan(db, { ...scanQuery, rows: half, skipped }),
    ),
  );
  const parts = [before, ...halves];
  return {
    messages: parts.reduce((sum, { messages }) => sum + messages, 0),
    times: parts.flatMap(({ times }) => times),
    isAll: halves.some(({ isAll }) => isAll),
  };
};

/** Whether the text may be part of an identifier, which only has ASCII letters and digits. */
const isIdentifying = ({ text, pattern }: SimSearch): boolean =>
  pattern.indexed !== undefined && /^[0-9a-z]*$/.test(folded(text).trim());

/** An indexed condition that all matching SIMs (`s`) meet. */
const indexedCondition = (search: SimSearch, tags: readonly string[]): Fragment<SqlBool> => {
  const { text, pattern } = search;
  const { indexed } = pattern;
  if (indexed !== undefined && isIdentifying(search)) return sql`s.search_text like folded(${indexed})`;
  const inWords = indexed === undefined ? matchesShortText(text) : matchesWords(indexed);
  return tags.length === 0 ? inWords : sql`(${inWords} or s.tags && ${[...tags]}::text[])`;
};

const inField = ({ like, atStart }: FieldSearch): string => (atStart ? `%\n${like}` : like);

/** How many more messages to scan to find `needed` of matching SIMs; undefined if listing these SIMs is cheaper. */
const messagesToScan = (known: Scan, simCount: number, needed: number): number | undefined => {
  const share = known.times.length / known.messages;
  const messages = needed / share;
  return messages < cost.perSim * share * simCount + simCount / cost.simsPerIndexUse ? messages : undefined;
};

/** The same with all SIMs listed, unless scanning messages finds the page faster. */
export const listMatchingSims = async (
  db: Db,
  sims: MatchingSims,
  { rows, countLimit, isExact }: Pick<MessageQuery, 'rows' | 'countLimit' | 'isExact'>,
): Promise<MatchingSims> => {
  if (sims.isListed || (!isExact && messagesToScan(sims.sample, sims.simCount, rows) !== undefined))
    return sims;
  const ids = await listMatchingIds(
    db,
    sims,
    isExact ? Math.max(listLimits.max, countLimit) : listLimits.max,
  );
  if (!ids) return { ...sims, sample: emptyScan };
  return ids.length <= listLimits.few ? listedSims(ids) : { ...listedSims(ids), holds: sims.holds };
};

const emptyScan: Scan = { messages: 0, times: [], isAll: false };

const listedSims = (ids: readonly number[]): MatchingSims => ({
  isListed: true,
  ids,
  sample: emptyScan,
  simCount: 0,
  holds: ofSimIds(ids),
  all: sql`select unnest(${ids}::bigint[])`,
});

/** Messages of the SIMs found. */
export const findMessagesOfSims = async (
  db: Db,
  { sims, query }: { sims: MatchingSims; query: MessageQuery },
): Promise<MessageMatches> => {
  if (sims.isListed) return findMessagesOf(db, { query, ids: sims.ids });
  if (query.isExact) return { total: 0, isAtLeast: true, times: undefined };
  const { before, rows } = query;
  const scanned = await scanForPage(db, sims, query);
  const times = [...(before === undefined ? [] : [before]), ...scanned.times.slice(0, rows + 1).map(dateOf)];
  if (scanned.isAll) return { total: scanned.times.length, isAtLeast: before !== undefined, times };
  if (scanned.times.length > rows) return { total: scanned.times.length, isAtLeast: true, times };
  const ids = sims.sample === emptyScan ? undefined : await listMatchingIds(db, sims, listLimits.max);
  if (ids) return findMessagesOf(db, { query, ids });
  const all = sql`array(${sims.all})`;
  const found = await listTimesByMonth(query, (conditions) =>
    listTimes(db, messagesOfSims(query, all, [conditions]), rows + 1),
  );
  return { total: found.length, isAtLeast: before !== undefined || found.length > rows, times: found };
};

/** Scans messages up to the page, until the page is full or listing the SIMs is cheaper. */
const scanForPage = async (db: Db, sims: MatchingSims, query: MessageQuery): Promise<Scan> => {
  const { before, rows, conditions } = query;
  const isBefore = before === undefined ? [] : [sql<SqlBool>`at < ${before}::timestamptz`];
  const scanQuery = { messages: and([matchesQuery(query), ...isBefore]), holds: sims.holds };
  let scanned = conditions.length === 0 && before === undefined ? sims.sample : emptyScan;
  while (scanned.times.length <= rows && !scanned.isAll) {
    const known = scanned.messages > sims.sample.messages ? scanned : sims.sample;
    const more = messagesToScan(known, sims.simCount, rows + 1 - scanned.times.length);
    if (more === undefined) break;
    const expected = Math.max(sampleSize.first, scanAhead.reserve * more);
    scanned = await scanMore(db, scanned, {
      ...scanQuery,
      rows: Math.ceil(Math.min(expected, scanAhead.growth * known.messages)),
    });
  }
  return scanned;
};

/** Messages to scan: `reserve` times the expected number, and at most `growth` times the number that the estimate is based on. */
const scanAhead = { reserve: 1.25, growth: 3 };

const dateOf = (milliseconds: number): Date => new Date(milliseconds);

/** Up to this number of SIMs, all messages are sorted for a page. */
const maxSortedSims = 20;

/** Messages of these SIMs. Those of many SIMs are scattered, so they are read month by month. */
const findMessagesOf = async (
  db: Db,
  { query, ids }: { query: MessageQuery; ids: readonly number[] },
): Promise<MessageMatches> => {
  if (ids.length === 0) return { total: 0, times: [] };
  if (ids.length > maxSortedSims)
    return findByMonth(db, { query, ids, holds: [], enough: neededMessages(query) });
  const all = messagesOfSims(query, sql`${ids}::bigint[]`);
  return readCountedPage(db, query, { counted: all, page: all });
};
