import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import type { FieldSearch } from '../../sim/index.ts';
import {
  type AskedMessages,
  type FoundMessages,
  instants,
  latestOf,
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

interface ReadTexts extends Among {
  /** There are no others. */
  isEach: boolean;
}

/** Messages that say it. */
export const findSaid = async (
  db: Db,
  { said, sample, asked }: { said: Said; sample: Sample; asked: AskedMessages },
): Promise<FoundMessages> => {
  const isFiltered = Boolean(said.filter.status?.length || said.filter.iccids?.length);
  const isWhole = sample.rows < sampled.rows;
  const most = Math.max(asked.most, asked.rows);
  const read = async (before?: string): Promise<ReadTexts> => {
    if (isWhole || sample.found >= sampled.often) {
      const near = await among(db, { said, asked, isFiltered, most, texts: walk(said, before) });
      if (isWhole || near.texts > most) return { ...near, isEach: near.texts <= most };
    }
    const each = await among(db, { said, asked, isFiltered, most, texts: lookup(said, sample, before) });
    return { ...each, isEach: each.texts <= most };
  };
  const hasPage = ({ isEach, messages }: ReadTexts) => isEach || messages > asked.rows;
  const latest = await read();
  if (isFiltered && !latest.isEach) {
    const page = latestOf(asked, lookedAt, sql`sms_search_text(content) like folded(${said.pattern.like})`);
    const near = await readMessages(db, asked, { counted: page, page });
    const best = hasPage(latest) ? latest : near;
    return {
      total: Math.max(latest.total, near.total),
      isAtLeast: true,
      times: best.messages > asked.rows ? best.times : undefined,
    };
  }
  const counted = latest.isEach ? { total: latest.total } : { total: asked.most + 1, isAtLeast: true };
  if (hasPage(latest) || asked.before === undefined) return { ...counted, times: latest.times };
  // What is longer ago than all that was counted.
  return { ...counted, times: (await read(asked.before)).times };
};

const says = ({ pattern }: Said) => sql<SqlBool>`content like folded(${pattern.like})`;

/** Of the texts of the organisation, what is filtered of their messages and texts have as well. */
const ofTexts = ({ filter }: Said): Fragment<SqlBool>[] => {
  const { from, to, direction, kind, status } = filter;
  const isMt = direction === 'mt' || kind !== undefined || status?.length;
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql<SqlBool>`at < ${to}::timestamptz`]),
    ...(isMt ? [sql<SqlBool>`not mobile_originated`] : []),
    ...(direction === 'mo' ? [sql<SqlBool>`mobile_originated`] : []),
    ...(kind === undefined ? [] : [sql<SqlBool>`scheduled = ${kind === 'scheduled'}`]),
  ];
};

const until = (before: string | undefined): Fragment<SqlBool>[] =>
  before === undefined ? [] : [sql<SqlBool>`at <= ${before}::timestamptz`];

const latest = (said: Said, rows: number, before?: string): Fragment => sql`
  select at, content from sms_contents
  where ${and([sql<SqlBool>`org_id = ${said.orgId}`, ...ofTexts(said), ...until(before)])}
  order by at desc, id desc limit ${rows}`;

export const takeSample = async (db: Db, said: Said): Promise<Sample> => {
  const { orgId, text, pattern } = said;
  const whole = sql`folded(${text})`;
  // Of one letter or two the index knows those at the start, and of more than ASCII each.
  const grams =
    pattern.indexed === undefined
      ? sql`select left(${whole}, 2) as gram`
      : sql`select distinct substr(${whole}, i, 3) as gram from generate_series(1, greatest(length(${whole}) - 2, 1)) as i`;
  const oldest = sql`(
    select at from sms_contents where ${and([sql<SqlBool>`org_id = ${orgId}`, ...ofTexts(said)])} order by at limit 1)`;
  const { rows } = await sql<Sample>`
    with latest as materialized (${latest(said, sampled.rows)}),
    compared as materialized (select content from latest limit ${sampled.compared})
    select count(*)::int as rows, count(*) filter (where ${says(said)})::int as found,
      array(select hashtextextended(gram, ${orgId}::bigint)::text from (${grams}) as grams
        order by (select count(*) from compared where position(gram in content) > 0) limit ${sampled.grams}) as keys,
      ${oldest}::text as oldest, max(at)::text as latest
    from latest`.execute(db);
  return rows[0] ?? { rows: 0, found: 0, keys: [], oldest: null, latest: null };
};

/** Instants of texts that say it, the latest first, along the order of all. */
const walk = (said: Said, before: string | undefined): Fragment => sql`
  select at from (${latest(said, walked, before)}) as latest where ${says(said)} order by at desc`;

/** The same by what the index knows, month by month: a month is read as a whole, and none that is not needed. */
const lookup = (said: Said, { keys, oldest, latest }: Sample, before: string | undefined): Fragment => {
  const conditions = [
    sql<SqlBool>`at >= month and at < month + interval '1 month'`,
    sql<SqlBool>`sms_grams(org_id, content) @> ${keys}::bigint[]`,
    says(said),
    // As an expression that no index has: they would be walked along it, which is endless where few say it.
    sql<SqlBool>`org_id + 0 = ${said.orgId}`,
    ...ofTexts(said),
    ...until(before),
  ];
  return sql`
    select found.at from (
      select month from generate_series(date_trunc('month', ${oldest}::timestamptz),
        least(${latest}::timestamptz, ${before ?? null}::timestamptz), interval '1 month') as month
      order by month desc) as months
    cross join lateral (
      select at from sms_contents where ${and(conditions)} order by at desc offset 0) as found`;
};

interface Among {
  texts: number;
  total: number;
  messages: number;
  times: readonly Date[];
}

/** Of the latest of these texts, as many as are counted or are on the page, the messages. */
const among = async (
  db: Db,
  {
    said,
    asked,
    isFiltered,
    most,
    texts,
  }: {
    said: Said;
    asked: AskedMessages;
    /** Whether texts alone do not say which of their messages are asked for. */
    isFiltered: boolean;
    most: number;
    texts: Fragment;
  },
): Promise<Among> => {
  const { within, rows: size, before } = asked;
  const ofMessage = [
    sql<SqlBool>`org_id = ${said.orgId} and sms_messages.at = times.at`,
    sql<SqlBool>`sms_search_text(content) like folded(${said.pattern.like})`,
    ...within,
  ];
  const messages = (times: Fragment, count: number) => sql`
    select times.at from (${times} order by at desc) as times
    cross join lateral (select from sms_messages where ${and(ofMessage)} offset 0) as messages
    order by times.at desc limit ${count}`;
  const isCounted = isFiltered ? sql`true` : sql`(select count(*) from said) <= ${most}`;
  const isBefore = before === undefined ? sql`true` : sql`at < ${before}::timestamptz`;
  const { rows } = await sql<Among>`
    with said as materialized (${texts} limit ${most + 1}),
    counted as (${messages(sql`select distinct at from said where ${isCounted}`, asked.most + 1)}),
    page as materialized (${messages(sql`select distinct at from said where ${isBefore}`, size + 1)})
    select (select count(*)::int from said) as texts, (select count(*)::int from counted) as total,
      (select count(*)::int from page) as messages, ${instants(before)} as times`.execute(db);
  return rows[0] ?? { texts: 0, total: 0, messages: 0, times: [] };
};
