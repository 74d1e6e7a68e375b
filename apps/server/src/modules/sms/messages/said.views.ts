import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import type { FieldSearch } from '../../sim/index.ts';
import {
  type AskedMessages,
  type FoundMessages,
  latestOf,
  messageSays,
  ofAsked,
  type ReadMessages,
  readMessages,
} from './found-messages.views.ts';
import type { MessageFilter } from './message-rows.views.ts';

/** What messages of an organisation say, as it is looked for among their texts. */
export interface Said {
  orgId: number;
  filter: MessageFilter;
  /** Trimmed, without what has no width. */
  text: string;
  pattern: FieldSearch;
}

/** What the latest texts tell. */
export interface Sample {
  rows: number;
  /** How many of them say it. */
  found: number;
  /** What the index is asked for. */
  keys: readonly string[];
  /** When the first and the last of all texts were written; null without any. */
  oldest: string | null;
  latest: string | null;
}

/** The latest texts, which tell how often it is said, and of which letters of it the index has the shortest lists. */
const sampled = { rows: 1000, often: 30, compared: 250, grams: 4 };
/** Where it is said often these have more than are counted; where it was said often lately alone, it is looked up. */
const walked = 120_000;

/** Of the latest messages that have all that is filtered so many are looked at, where texts alone do not say which those are. */
const lookedAt = 5000;

/** Messages that say it. */
export const findSaid = async (
  db: Db,
  { said, sample, asked }: { said: Said; sample: Sample; asked: AskedMessages },
): Promise<FoundMessages> => {
  const { rows, before } = asked;
  const isFiltered = Boolean(said.filter.status?.length || said.filter.iccids?.length);
  const most = Math.max(asked.most, rows);
  const latest = await findTexts(db, { said, sample, most, before: undefined });
  if (latest.length <= most) return among(db, { said, asked, texts: latest });
  if (isFiltered) return amongLatest(db, { said, asked, texts: latest });
  const counted = { total: asked.most, isAtLeast: true };
  // Each text is at least a message: those of the page are among as many texts.
  if (before === undefined) return { ...counted, times: latest.slice(0, rows + 1).map(dateOf) };
  const earlier = await findTexts(db, { said, sample, most: rows, before });
  return { ...counted, times: [before, ...earlier.map(dateOf)] };
};

/** Of messages of these texts and of the latest with what is filtered, whichever are more. */
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
  // All that have what is filtered were looked at.
  if ((looked.rows[0]?.rows ?? 0) < lookedAt) return { total: near.total, times: near.times };
  const full = [ofTexts, near].find(({ messages }) => messages > asked.rows);
  return { total: Math.max(ofTexts.total, near.total), isAtLeast: true, times: full?.times };
};

const dateOf = (milliseconds: number): Date => new Date(milliseconds);

const says = ({ pattern }: Said) => sql<SqlBool>`content like folded(${pattern.like})`;

/** The time that is filtered. */
const inTime = ({ filter: { from, to } }: Said): Fragment<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`at >= ${from}::timestamptz`]),
  ...(to === undefined ? [] : [sql<SqlBool>`at < ${to}::timestamptz`]),
];

const ofOrg = ({ orgId }: Said) => sql<SqlBool>`org_id = ${orgId}`;

/** What else is filtered of messages, as far as their texts have it. */
const ofKind = ({ filter: { direction, kind, status } }: Said): Fragment<SqlBool>[] => {
  const isMt = direction === 'mt' || kind !== undefined || status?.length;
  return [
    ...(isMt ? [sql<SqlBool>`not mobile_originated`] : []),
    ...(direction === 'mo' ? [sql<SqlBool>`mobile_originated`] : []),
    ...(kind === undefined ? [] : [sql<SqlBool>`scheduled = ${kind === 'scheduled'}`]),
  ];
};

const earlierThan = (before: string | undefined): Fragment<SqlBool>[] =>
  before === undefined ? [] : [sql<SqlBool>`at < ${before}::timestamptz`];

/** So many of the latest texts and no more, whatever else is filtered. */
const latestTexts = (said: Said, rows: number, before?: string): Fragment => sql`
  select at, content, mobile_originated, scheduled from sms_contents
  where ${and([ofOrg(said), ...inTime(said), ...earlierThan(before)])} order by at desc, id desc limit ${rows}`;

export const takeSample = async (db: Db, said: Said): Promise<Sample> => {
  const { orgId, text, pattern } = said;
  const whole = sql`folded(${text})`;
  // Of one letter or two the index knows those at the start, and of more than ASCII each.
  const grams =
    pattern.indexed === undefined
      ? sql`select left(${whole}, 2) as gram`
      : sql`select distinct substr(${whole}, i, 3) as gram from generate_series(1, greatest(length(${whole}) - 2, 1)) as i`;
  const oldest = sql`(select at from sms_contents where ${and([ofOrg(said), ...inTime(said)])} order by at limit 1)`;
  const { rows } = await sql<Sample>`
    with latest as materialized (${latestTexts(said, sampled.rows)}),
    compared as materialized (select content from latest limit ${sampled.compared})
    select count(*)::int as rows, count(*) filter (where ${and([says(said), ...ofKind(said)])})::int as found,
      array(select hashtextextended(gram, ${orgId}::bigint)::text from (${grams}) as grams
        order by (select count(*) from compared where position(gram in content) > 0) limit ${sampled.grams}) as keys,
      ${oldest}::text as oldest, max(at)::text as latest
    from latest`.execute(db);
  return rows[0] ?? { rows: 0, found: 0, keys: [], oldest: null, latest: null };
};

interface TextsAsked {
  said: Said;
  sample: Sample;
  most: number;
  /** Those from before this instant. */
  before: string | undefined;
}

/** When texts that say it were written, the latest first, in milliseconds; one more than asked for, when there are more. */
const findTexts = async (db: Db, asked: TextsAsked): Promise<number[]> => {
  const { said, sample, most, before } = asked;
  if (sample.rows < sampled.rows || sample.found >= sampled.often) {
    const found = await instantsOf(
      db,
      sql`select at from (${latestTexts(said, walked, before)}) as latest
        where ${and([says(said), ...ofKind(said)])} order by at desc limit ${most + 1}`,
    );
    if (sample.rows < sampled.rows || found.length > most) return found;
  }
  const found: number[] = [];
  for (const span of spansOf(sample, before)) {
    found.push(...(await lookUp(db, { ...asked, most: most - found.length }, span)));
    if (found.length > most) break;
  }
  return found;
};

const instantsOf = async (db: Db, texts: Fragment): Promise<number[]> => {
  const { rows } = await sql<{ times: number[] }>`
    select coalesce(json_agg((extract(epoch from at) * 1000)::float8), '[]') as times from (${texts}) as texts`.execute(
    db,
  );
  return rows[0]?.times ?? [];
};

/** The last two months with texts, the three before them, and all others: what an index finds in a span is read as a whole. */
const spansOf = (
  { oldest, latest: newest }: Sample,
  before: string | undefined,
): [from: Date, to: Date][] => {
  if (oldest === null || newest === null) return [];
  const end = new Date(before !== undefined && before < newest ? before : newest);
  const month = (ago: number) => new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - ago, 1));
  const spans: [Date, Date][] = [
    [month(0), month(-1)],
    [month(1), month(0)],
    [month(4), month(1)],
    [new Date(oldest), month(4)],
  ];
  return spans.filter(([, to]) => to > new Date(oldest));
};

const lookUp = (
  db: Db,
  { said, sample, most, before }: TextsAsked,
  [from, to]: [from: Date, to: Date],
): Promise<number[]> => {
  const conditions = [
    sql<SqlBool>`sms_grams(org_id, content) @> ${sample.keys}::bigint[]`,
    says(said),
    // As an expression that no index has: they would be walked along it, which is endless where few say it.
    sql<SqlBool>`org_id + 0 = ${said.orgId}`,
    sql<SqlBool>`at >= ${from} and at < ${to}`,
    ...inTime(said),
    ...ofKind(said),
    ...earlierThan(before),
  ];
  return instantsOf(
    db,
    sql`select at from sms_contents where ${and(conditions)} order by at desc limit ${most + 1}`,
  );
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
