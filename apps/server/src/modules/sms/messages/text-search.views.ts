import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import type { FieldSearch } from '../../sim/index.ts';
import {
  type CountedPage,
  findByMonth,
  inTimeRange,
  listTimes,
  type MessageMatches,
  type MessageQuery,
  matchesAmongLatest,
  matchesQuery,
  messageContains,
  neededMessages,
  readByMonth,
  readCountedPage,
  type TimeRange,
} from './message-query.views.ts';
import type { MessageFilter } from './message-rows.views.ts';

/** A search for a text among the messages of an organisation. */
export interface TextSearch {
  orgId: number;
  filter: MessageFilter;
  /** Trimmed, without invisible characters. */
  text: string;
  pattern: FieldSearch;
  /** Limits the search to these SIMs. */
  simIds: readonly number[] | undefined;
}

/** Statistics of the latest texts. */
export interface Sample {
  rows: number;
  /** How many of them contain the text. */
  found: number;
  /** The keys for the index. */
  keys: readonly string[];
  /** When the last of all texts was written; null if there are none. */
  latest: string | null;
}

/** The sample of the latest texts, which shows how frequent the text is, and which of its trigrams are the rarest. */
const sampleSize = { rows: 3000, compared: 250, grams: 4 };
/**
 * Maximum number of latest texts to scan, if they probably contain the page and this many matches, or twice the page:
 * they are adjacent on disk, while those found by index within a month are not.
 */
const scanLimits = { texts: 60_000, matches: 500 };

/** Number of latest messages scanned that meet the filters, if texts alone don't have the filtered properties. */
const scannedMessages = 5000;

/** Messages that contain the text. */
export const findMessagesByText = async (
  db: Db,
  { search, sample, query }: { search: TextSearch; sample: Sample; query: MessageQuery },
): Promise<MessageMatches> => {
  const { rows, before, isExact } = query;
  const countLimit = neededMessages(query);
  if (search.simIds) {
    const holds = [messageContains(search.pattern)];
    return findByMonth(db, { query, ids: search.simIds, holds, enough: isExact ? countLimit : rows });
  }
  const latest = await findTexts(db, {
    search,
    sample,
    countLimit,
    enough: isExact ? countLimit : rows,
    before: undefined,
  });
  if (latest.isAll) return messagesOfTexts(db, { search, query, texts: latest.found });
  if (needsMessages(search.filter)) return findAmongLatest(db, { search, query, texts: latest.found });
  // Each text has at least one message, so the page's messages belong to at most this many texts.
  const counted = { total: Math.min(query.countLimit, latest.found.length), isAtLeast: true };
  if (before === undefined) {
    return { ...counted, times: latest.found.slice(0, rows + 1).map(dateOf), isByText: true };
  }
  const earlier = await findTexts(db, { search, sample, countLimit: rows, enough: rows, before });
  return { ...counted, times: [before, ...earlier.found.map(dateOf)] };
};

/** Messages of these texts, or of the latest messages that meet the filters: whichever finds more. */
const findAmongLatest = async (
  db: Db,
  { search, query, texts }: { search: TextSearch; query: MessageQuery; texts: readonly number[] },
): Promise<MessageMatches> => {
  const holds = messageContains(search.pattern);
  const all = { ...query, before: undefined };
  const [ofTexts, inLatest, scanned] = await Promise.all([
    messagesOfTexts(db, { search, query, texts }),
    readCountedPage(db, query, {
      counted: matchesAmongLatest(all, scannedMessages, holds),
      page: matchesAmongLatest(query, scannedMessages, holds),
    }),
    sql<{
      rows: number;
    }>`select count(*)::int as rows from ${matchesAmongLatest(all, scannedMessages, sql`true`)}`.execute(db),
  ]);
  // All messages that meet the filters were scanned.
  if ((scanned.rows[0]?.rows ?? 0) < scannedMessages) return { total: inLatest.total, times: inLatest.times };
  const full = [ofTexts, inLatest].find(({ messages }) => messages > query.rows);
  return { total: Math.max(ofTexts.total, inLatest.total), isAtLeast: true, times: full?.times };
};

const dateOf = (milliseconds: number): Date => new Date(milliseconds);

const containsText = ({ pattern }: TextSearch) => sql<SqlBool>`content like folded(${pattern.like})`;

/** The filtered time. */
const inFilteredTime = ({ filter: { from, to } }: TextSearch): Fragment<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`at >= ${from}::timestamptz`]),
  ...(to === undefined ? [] : [sql<SqlBool>`at < ${to}::timestamptz`]),
];

const ofOrg = ({ orgId }: TextSearch) => sql<SqlBool>`org_id = ${orgId}`;

/** Conditions on direction and kind that apply to both messages and their texts. */
export const ofKind = ({ direction, kind, status }: MessageFilter): Fragment<SqlBool>[] => {
  const isMt = direction === 'mt' || kind === 'instant' || kind === 'scheduled' || status?.length;
  const isMo = direction === 'mo' || kind === 'reply';
  return [
    ...(isMt ? [sql<SqlBool>`not mobile_originated`] : []),
    ...(isMo ? [sql<SqlBool>`mobile_originated`] : []),
    ...(kind === 'instant' ? [sql<SqlBool>`not scheduled`] : []),
    ...(kind === 'scheduled' ? [sql<SqlBool>`scheduled`] : []),
  ];
};

/** Whether a filter uses properties that texts don't have. */
const needsMessages = ({ kind, status }: MessageFilter): boolean =>
  kind === 'reply' || Boolean(status?.length);

const earlierThan = (before: string | undefined): Fragment<SqlBool>[] =>
  before === undefined ? [] : [sql<SqlBool>`at < ${before}::timestamptz`];

/** Exactly this many of the latest texts, before any other filter. */
const latestTexts = (search: TextSearch, rows: number, before?: string): Fragment => sql`
  select at, content, mobile_originated, scheduled from sms_contents
  where ${and([ofOrg(search), ...inFilteredTime(search), ...earlierThan(before)])} order by at desc, id desc limit ${rows}`;

/** For a search without texts. */
export const noSample: Sample = { rows: 0, found: 0, keys: [], latest: null };

export const sampleTexts = async (db: Db, search: TextSearch): Promise<Sample> => {
  const { orgId, text, pattern } = search;
  const whole = sql`folded(${text})`;
  // For one or two letters, the index contains those at the start of a text, and each character beyond ASCII.
  const grams =
    pattern.indexed === undefined
      ? sql`select left(${whole}, 2) as gram`
      : sql`select distinct substr(${whole}, i, 3) as gram from generate_series(1, greatest(length(${whole}) - 2, 1)) as i`;
  const { rows } = await sql<Sample>`
    with latest as materialized (${latestTexts(search, sampleSize.rows)}),
    compared as materialized (select content from latest limit ${sampleSize.compared})
    select count(*)::int as rows, count(*) filter (where ${and([containsText(search), ...ofKind(search.filter)])})::int as found,
      array(select hashtextextended(gram, ${orgId}::bigint)::text from (${grams}) as grams
        order by (select count(*) from compared where position(gram in content) > 0) limit ${sampleSize.grams}) as keys,
      max(at)::text as latest
    from latest`.execute(db);
  return rows[0] ?? noSample;
};

interface TextQuery {
  search: TextSearch;
  sample: Sample;
  countLimit: number;
  /** With more matches than this, no others need to be counted. */
  enough: number;
  /** Only texts from before this instant. */
  before: string | undefined;
}

interface Texts {
  /** Times in milliseconds, latest first; one more than requested if there are more. */
  found: number[];
  /** Whether there are no others. */
  isAll: boolean;
}

/** When texts with the search text were written, in milliseconds, latest first; one more than requested if there are more. */
const findTexts = async (db: Db, query: TextQuery): Promise<Texts> => {
  const { sample, countLimit, enough, before } = query;
  const isWhole = sample.rows < sampleSize.rows;
  const scan = isWhole ? { texts: scanLimits.texts, countLimit } : planScan(query);
  if (scan) {
    const found = await scanTexts(db, query, scan);
    if (isWhole || found.length > enough) {
      const isAll = found.length <= scan.countLimit && (isWhole || !(await hasMoreTexts(db, query, scan)));
      return { found, isAll };
    }
  }
  if (sample.latest === null) return { found: [], isAll: true };
  const latest = new Date(sample.latest);
  const until = before === undefined ? latest : new Date(Math.min(latest.getTime(), Date.parse(before)));
  const { found } = await readByMonth({ until, enough: countLimit + 1 }, (range) =>
    findTextsByIndex(db, query, range),
  );
  return { found: found.slice(0, countLimit + 1), isAll: found.length <= countLimit };
};

interface TextScan {
  /** Number of texts to scan. */
  texts: number;
  /** Maximum number of matches to count. */
  countLimit: number;
}

/** Undefined if the index finds a page faster. */
const planScan = ({ search, sample, countLimit, enough }: TextQuery): TextScan | undefined => {
  const share = sample.found / sample.rows;
  if (share * scanLimits.texts > Math.max(enough, scanLimits.matches))
    return { texts: scanLimits.texts, countLimit };
  // It is unknown which of them have a status, or are replies, so more than the page are needed.
  if (needsMessages(search.filter)) return undefined;
  const texts = Math.ceil((2 * enough) / share);
  return texts <= scanLimits.texts ? { texts, countLimit: enough } : undefined;
};

const scanTexts = (
  db: Db,
  { search, before }: TextQuery,
  { texts, countLimit }: TextScan,
): Promise<number[]> => {
  const holds = and([containsText(search), ...ofKind(search.filter)]);
  return listTimes(db, sql`(${latestTexts(search, texts, before)}) as latest where ${holds}`, countLimit + 1);
};

/** Whether there are more texts than are scanned. */
const hasMoreTexts = async (db: Db, { search, before }: TextQuery, { texts }: TextScan): Promise<boolean> => {
  const { rows } = await sql`
    select from sms_contents where ${and([ofOrg(search), ...inFilteredTime(search), ...earlierThan(before)])}
    order by at desc, id desc offset ${texts} limit 1`.execute(db);
  return rows.length > 0;
};

const findTextsByIndex = (
  db: Db,
  { search, sample, countLimit, before }: TextQuery,
  range: TimeRange,
): Promise<number[]> => {
  const conditions = [
    sql<SqlBool>`sms_grams(org_id, content) @> ${sample.keys}::bigint[]`,
    containsText(search),
    // An expression that matches no index: the planner would scan along it, which takes far too long if there are few
    // matches.
    sql<SqlBool>`org_id + 0 = ${search.orgId}`,
    inTimeRange(range),
    ...inFilteredTime(search),
    ...ofKind(search.filter),
    ...earlierThan(before),
  ];
  return listTimes(db, sql`sms_contents where ${and(conditions)}`, countLimit + 1);
};

/** The messages of these texts. */
const messagesOfTexts = async (
  db: Db,
  { search, query, texts }: { search: TextSearch; query: MessageQuery; texts: readonly number[] },
): Promise<CountedPage> => {
  if (texts.length === 0) return { total: 0, messages: 0, times: [] };
  const ofText = and([
    matchesQuery(query),
    sql<SqlBool>`sms_messages.at = texts.at`,
    messageContains(search.pattern),
  ]);
  const found = sql`(
    select at from (
      select distinct to_timestamp(milliseconds / 1000) as at from unnest(${texts}::float8[]) as milliseconds
      order by at desc) as texts
    cross join lateral (select id from sms_messages where ${ofText} offset 0) as messages) as found where true`;
  return readCountedPage(db, query, { counted: found, page: found });
};
