import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import type { FieldSearch } from '../../sim/index.ts';
import {
  type AskedMessages,
  byMonths,
  type FoundMessages,
  findByMonth,
  inStretch,
  latestOf,
  listTimes,
  messageSays,
  mostOf,
  ofAsked,
  type ReadMessages,
  readMessages,
  type Stretch,
} from './found-messages.views.ts';
import type { MessageFilter } from './message-rows.views.ts';

/** A search for a text among the messages of an organisation. */
export interface Said {
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
const sampled = { rows: 3000, compared: 250, grams: 4 };
/**
 * Maximum number of latest texts to scan, if they probably contain the page and this many matches, or twice the page:
 * they are adjacent on disk, while those found by index within a month are not.
 */
const walked = { texts: 60_000, saying: 500 };

/** Number of latest messages scanned that meet the filters, if texts alone don't have the filtered properties. */
const lookedAt = 5000;

/** Messages that contain the text. */
export const findSaid = async (
  db: Db,
  { said, sample, asked }: { said: Said; sample: Sample; asked: AskedMessages },
): Promise<FoundMessages> => {
  const { rows, before, isExact } = asked;
  const most = mostOf(asked);
  if (said.simIds) {
    const holds = [messageSays(said.pattern)];
    return findByMonth(db, { asked, ids: said.simIds, holds, enough: isExact ? most : rows });
  }
  const latest = await findTexts(db, {
    ...{ said, sample, most, enough: isExact ? most : rows, before: undefined },
  });
  if (latest.isAll) return among(db, { said, asked, texts: latest.found });
  if (isBeyondTexts(said.filter)) return amongLatest(db, { said, asked, texts: latest.found });
  // Each text has at least one message, so the page's messages belong to at most this many texts.
  const counted = { total: Math.min(asked.most, latest.found.length), isAtLeast: true };
  if (before === undefined) {
    return { ...counted, times: latest.found.slice(0, rows + 1).map(dateOf), isByText: true };
  }
  const earlier = await findTexts(db, { said, sample, most: rows, enough: rows, before });
  return { ...counted, times: [before, ...earlier.found.map(dateOf)] };
};

/** Messages of these texts, or of the latest messages that meet the filters: whichever finds more. */
const amongLatest = async (
  db: Db,
  { said, asked, texts }: { said: Said; asked: AskedMessages; texts: readonly number[] },
): Promise<FoundMessages> => {
  const holds = messageSays(said.pattern);
  const all = { ...asked, before: undefined };
  const [ofTexts, near, looked] = await Promise.all([
    among(db, { said, asked, texts }),
    readMessages(db, asked, {
      counted: latestOf(all, lookedAt, holds),
      page: latestOf(asked, lookedAt, holds),
    }),
    sql<{ rows: number }>`select count(*)::int as rows from ${latestOf(all, lookedAt, sql`true`)}`.execute(
      db,
    ),
  ]);
  // All messages that meet the filters were scanned.
  if ((looked.rows[0]?.rows ?? 0) < lookedAt) return { total: near.total, times: near.times };
  const full = [ofTexts, near].find(({ messages }) => messages > asked.rows);
  return { total: Math.max(ofTexts.total, near.total), isAtLeast: true, times: full?.times };
};

const dateOf = (milliseconds: number): Date => new Date(milliseconds);

const says = ({ pattern }: Said) => sql<SqlBool>`content like folded(${pattern.like})`;

/** The filtered time. */
const inTime = ({ filter: { from, to } }: Said): Fragment<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`at >= ${from}::timestamptz`]),
  ...(to === undefined ? [] : [sql<SqlBool>`at < ${to}::timestamptz`]),
];

const ofOrg = ({ orgId }: Said) => sql<SqlBool>`org_id = ${orgId}`;

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
const isBeyondTexts = ({ kind, status }: MessageFilter): boolean =>
  kind === 'reply' || Boolean(status?.length);

const earlierThan = (before: string | undefined): Fragment<SqlBool>[] =>
  before === undefined ? [] : [sql<SqlBool>`at < ${before}::timestamptz`];

/** Exactly this many of the latest texts, before any other filter. */
const latestTexts = (said: Said, rows: number, before?: string): Fragment => sql`
  select at, content, mobile_originated, scheduled from sms_contents
  where ${and([ofOrg(said), ...inTime(said), ...earlierThan(before)])} order by at desc, id desc limit ${rows}`;

/** For a search without texts. */
export const noSample: Sample = { rows: 0, found: 0, keys: [], latest: null };

export const takeSample = async (db: Db, said: Said): Promise<Sample> => {
  const { orgId, text, pattern } = said;
  const whole = sql`folded(${text})`;
  // For one or two letters, the index contains those at the start of a text, and each character beyond ASCII.
  const grams =
    pattern.indexed === undefined
      ? sql`select left(${whole}, 2) as gram`
      : sql`select distinct substr(${whole}, i, 3) as gram from generate_series(1, greatest(length(${whole}) - 2, 1)) as i`;
  const { rows } = await sql<Sample>`
    with latest as materialized (${latestTexts(said, sampled.rows)}),
    compared as materialized (select content from latest limit ${sampled.compared})
    select count(*)::int as rows, count(*) filter (where ${and([says(said), ...ofKind(said.filter)])})::int as found,
      array(select hashtextextended(gram, ${orgId}::bigint)::text from (${grams}) as grams
        order by (select count(*) from compared where position(gram in content) > 0) limit ${sampled.grams}) as keys,
      max(at)::text as latest
    from latest`.execute(db);
  return rows[0] ?? noSample;
};

interface TextsAsked {
  said: Said;
  sample: Sample;
  most: number;
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
const findTexts = async (db: Db, asked: TextsAsked): Promise<Texts> => {
  const { sample, most, enough, before } = asked;
  const isWhole = sample.rows < sampled.rows;
  const walk = isWhole ? { texts: walked.texts, most } : walkOf(asked);
  if (walk) {
    const found = await walkTexts(db, asked, walk);
    if (isWhole || found.length > enough) {
      const isAll = found.length <= walk.most && (isWhole || !(await hasBeyond(db, asked, walk)));
      return { found, isAll };
    }
  }
  if (sample.latest === null) return { found: [], isAll: true };
  const latest = new Date(sample.latest);
  const until = before === undefined ? latest : new Date(Math.min(latest.getTime(), Date.parse(before)));
  const { found } = await byMonths({ until, enough: most + 1 }, (stretch) => lookUp(db, asked, stretch));
  return { found: found.slice(0, most + 1), isAll: found.length <= most };
};

interface Walk {
  /** Number of texts to scan. */
  texts: number;
  /** Maximum number of matches to count. */
  most: number;
}

/** Undefined if the index finds a page faster. */
const walkOf = ({ said, sample, most, enough }: TextsAsked): Walk | undefined => {
  const share = sample.found / sample.rows;
  if (share * walked.texts > Math.max(enough, walked.saying)) return { texts: walked.texts, most };
  // It is unknown which of them have a status, or are replies, so more than the page are needed.
  if (isBeyondTexts(said.filter)) return undefined;
  const texts = Math.ceil((2 * enough) / share);
  return texts <= walked.texts ? { texts, most: enough } : undefined;
};

const walkTexts = (db: Db, { said, before }: TextsAsked, { texts, most }: Walk): Promise<number[]> => {
  const holds = and([says(said), ...ofKind(said.filter)]);
  return listTimes(db, sql`(${latestTexts(said, texts, before)}) as latest where ${holds}`, most + 1);
};

/** Whether there are more texts than are scanned. */
const hasBeyond = async (db: Db, { said, before }: TextsAsked, { texts }: Walk): Promise<boolean> => {
  const { rows } = await sql`
    select from sms_contents where ${and([ofOrg(said), ...inTime(said), ...earlierThan(before)])}
    order by at desc, id desc offset ${texts} limit 1`.execute(db);
  return rows.length > 0;
};

const lookUp = (db: Db, { said, sample, most, before }: TextsAsked, stretch: Stretch): Promise<number[]> => {
  const conditions = [
    sql<SqlBool>`sms_grams(org_id, content) @> ${sample.keys}::bigint[]`,
    says(said),
    // An expression that matches no index: the planner would scan along it, which takes far too long if there are few
    // matches.
    sql<SqlBool>`org_id + 0 = ${said.orgId}`,
    inStretch(stretch),
    ...inTime(said),
    ...ofKind(said.filter),
    ...earlierThan(before),
  ];
  return listTimes(db, sql`sms_contents where ${and(conditions)}`, most + 1);
};

/** The messages of these texts. */
const among = async (
  db: Db,
  { said, asked, texts }: { said: Said; asked: AskedMessages; texts: readonly number[] },
): Promise<ReadMessages> => {
  if (texts.length === 0) return { total: 0, messages: 0, times: [] };
  const ofText = and([ofAsked(asked), sql<SqlBool>`sms_messages.at = texts.at`, messageSays(said.pattern)]);
  const found = sql`(
    select at from (
      select distinct to_timestamp(milliseconds / 1000) as at from unnest(${texts}::float8[]) as milliseconds
      order by at desc) as texts
    cross join lateral (select id from sms_messages where ${ofText} offset 0) as messages) as found where true`;
  return readMessages(db, asked, { counted: found, page: found });
};
