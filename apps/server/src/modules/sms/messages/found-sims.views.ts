import { folded } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { and, type Fragment } from '../../../platform/lists/index.ts';
import {
  type FieldSearch,
  foundInWords,
  foundShort,
  orgSims,
  scopedTo,
  simsBy,
  tagsLike,
  wholeIdentifier,
} from '../../sim/index.ts';
import {
  type AskedMessages,
  type FoundMessages,
  findByMonth,
  listTimes,
  messagesOf,
  mostOf,
  ofAsked,
  ofSimIds,
  readMessages,
  timesByMonth,
} from './found-messages.views.ts';

/** A search for SIMs of an organisation. */
export interface SimSearch {
  orgId: number;
  text: string;
  pattern: FieldSearch;
  /** Limits the search to these SIMs. */
  simIds: readonly number[] | undefined;
}

/** The SIMs that match by an identifier, name, note or tag. */
export interface FoundSims {
  /** Whether they are listed in `ids`. */
  isEach: boolean;
  ids: readonly number[];
  /** If they are not listed: the sample of latest messages, and the organisation's number of SIMs. */
  sample: Look;
  of: number;
  /** Condition on messages: of one of these SIMs. */
  holds: Fragment<SqlBool>;
  /** Their ids, as a query that may return duplicates. */
  all: Fragment;
}

/** Messages scanned in order, each with its SIM. */
interface Look {
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
const sampled = { first: 500, few: 7, more: 1000 };
/** More SIMs than `most` are not listed; with more than `few`, messages are not compared with a list of SIMs. */
const named = { most: 10_000, few: 1000 };
/**
 * Costs in units of scanning one message with its SIM: `naming` for finding one SIM and its messages by index; using
 * the index at all costs the total number of SIMs divided by `asking`.
 */
const cost = { naming: 3, asking: 400 };

export const findSims = async (db: Db, search: SimSearch): Promise<FoundSims> => {
  const { orgId, text, pattern, simIds } = search;
  const { sims: own, simsBeside } = scopedTo({ id: orgId });
  // An expression that matches no index: for one or two letters, the index of search_text would return everything.
  const isFound = sql<SqlBool>`s.search_text || '' like folded(${inField(pattern)})`;
  const identified = sql`select i.sim_id from ${sql.raw(simsBy('iccid', 'msisdn'))} i where i.value = ${wholeIdentifier(text) ?? text}`;
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
  const ofOrg = sql<SqlBool>`org_id = ${orgId}`;
  const [first, { sims: of, isMost }, tags] = await Promise.all([
    look(db, { messages: ofOrg, holds, skipped: 0, rows: sampled.first }),
    orgSims(db, { orgId }),
    isIdentifying(search) ? [] : tagsLike(db, { orgId }, inField(pattern)),
  ]);
  if (first.isAll) return these(first.ids);
  const isUnclear = first.times.length > 0 && first.times.length < sampled.few;
  const sample = isUnclear ? await lookOn(db, first, { messages: ofOrg, holds, rows: sampled.more }) : first;
  const all = sql`(select s.id from sims s where ${isMost ? simsBeside : own} and ${lookup(search, tags)} and ${isFound})
    union all (${identified})`;
  return { isEach: false, ids: [], sample, of, holds, all };
};

const idsOf = async (db: Db, found: Fragment): Promise<number[]> => {
  const { rows } = await sql<{
    ids: number[];
  }>`select coalesce(json_agg(id), '[]') as ids from (${found}) as found (id)`.execute(db);
  return rows[0]?.ids ?? [];
};

/** Undefined if there are more than `most`. */
const nameAll = async (db: Db, { all }: FoundSims, most: number): Promise<number[] | undefined> => {
  const ids = await idsOf(db, sql`${all} limit ${most + 1}`);
  return ids.length > most ? undefined : [...new Set(ids)];
};

interface Looked {
  /** Condition on messages. */
  messages: Fragment<SqlBool>;
  /** Condition: the SIM matches. */
  holds: Fragment<SqlBool>;
  rows: number;
}

/** Scans `rows` messages after the first `skipped`, and finds which of their SIMs match. */
const look = async (
  db: Db,
  { messages, holds, rows: most, skipped }: Looked & { skipped: number },
): Promise<Look & { ids: number[] }> => {
  const { rows } = await sql<{ messages: number; times: number[]; ids: number[] }>`
    with latest as materialized (
      select sim_id, at, ${holds} as is_found from (
        select sim_id, at from sms_messages where ${messages} order by at desc, id desc
        limit ${most} offset ${skipped}) as latest)
    select count(*)::int as messages,
      coalesce(json_agg((extract(epoch from at) * 1000)::float8 order by at desc) filter (where is_found), '[]') as times,
      coalesce(json_agg(distinct sim_id) filter (where is_found), '[]') as ids
    from latest`.execute(db);
  const { messages: seen, times, ids } = rows[0] ?? { messages: 0, times: [], ids: [] };
  return { messages: seen, times, ids, isAll: seen < most };
};

/** Scans `rows` more messages. Their SIMs are scattered over the table, so two connections scan half of them each. */
const lookOn = async (db: Db, before: Look, looked: Looked): Promise<Look> => {
  const half = Math.ceil(looked.rows / 2);
  const halves = await Promise.all(
    [before.messages, before.messages + half].map((skipped) => look(db, { ...looked, rows: half, skipped })),
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
const lookup = (search: SimSearch, tags: readonly string[]): Fragment<SqlBool> => {
  const { text, pattern } = search;
  const { indexed } = pattern;
  if (indexed !== undefined && isIdentifying(search)) return sql`s.search_text like folded(${indexed})`;
  const inWords = indexed === undefined ? foundShort(text) : foundInWords(indexed);
  return tags.length === 0 ? inWords : sql`(${inWords} or s.tags && ${[...tags]}::text[])`;
};

const inField = ({ like, atStart }: FieldSearch): string => (atStart ? `%\n${like}` : like);

/** How many more messages to scan to find `wanted` of matching SIMs; undefined if listing these SIMs is cheaper. */
const moreToLookAt = (known: Look, of: number, wanted: number): number | undefined => {
  const share = known.times.length / known.messages;
  const messages = wanted / share;
  return messages < cost.naming * share * of + of / cost.asking ? messages : undefined;
};

/** The same with all SIMs listed, unless scanning messages finds the page faster. */
export const namedSims = async (
  db: Db,
  sims: FoundSims,
  { rows, most, isExact }: Pick<AskedMessages, 'rows' | 'most' | 'isExact'>,
): Promise<FoundSims> => {
  if (sims.isEach || (!isExact && moreToLookAt(sims.sample, sims.of, rows) !== undefined)) return sims;
  const ids = await nameAll(db, sims, isExact ? Math.max(named.most, most) : named.most);
  if (!ids) return { ...sims, sample: nothing };
  return ids.length <= named.few ? these(ids) : { ...these(ids), holds: sims.holds };
};

const nothing: Look = { messages: 0, times: [], isAll: false };

const these = (ids: readonly number[]): FoundSims => ({
  ...{ isEach: true, ids, sample: nothing, of: 0, holds: ofSimIds(ids) },
  all: sql`select unnest(${ids}::bigint[])`,
});

/** Messages of the SIMs found. */
export const findOfSims = async (
  db: Db,
  { sims, asked }: { sims: FoundSims; asked: AskedMessages },
): Promise<FoundMessages> => {
  if (sims.isEach) return findOf(db, { asked, ids: sims.ids });
  if (asked.isExact) return { total: 0, isAtLeast: true, times: undefined };
  const { before, rows } = asked;
  const near = await lookForPage(db, sims, asked);
  const times = [...(before === undefined ? [] : [before]), ...near.times.slice(0, rows + 1).map(dateOf)];
  if (near.isAll) return { total: near.times.length, isAtLeast: before !== undefined, times };
  if (near.times.length > rows) return { total: near.times.length, isAtLeast: true, times };
  const ids = sims.sample === nothing ? undefined : await nameAll(db, sims, named.most);
  if (ids) return findOf(db, { asked, ids });
  const all = sql`array(${sims.all})`;
  const found = await timesByMonth(asked, (within) =>
    listTimes(db, messagesOf(asked, all, [within]), rows + 1),
  );
  return { total: found.length, isAtLeast: before !== undefined || found.length > rows, times: found };
};

/** Scans messages up to the page, until the page is full or listing the SIMs is cheaper. */
const lookForPage = async (db: Db, sims: FoundSims, asked: AskedMessages): Promise<Look> => {
  const { before, rows, within } = asked;
  const isBefore = before === undefined ? [] : [sql<SqlBool>`at < ${before}::timestamptz`];
  const looked = { messages: and([ofAsked(asked), ...isBefore]), holds: sims.holds };
  let near = within.length === 0 && before === undefined ? sims.sample : nothing;
  while (near.times.length <= rows && !near.isAll) {
    const known = near.messages > sims.sample.messages ? near : sims.sample;
    const more = moreToLookAt(known, sims.of, rows + 1 - near.times.length);
    if (more === undefined) break;
    const expected = Math.max(sampled.first, ahead.reserve * more);
    near = await lookOn(db, near, {
      ...looked,
      rows: Math.ceil(Math.min(expected, ahead.growth * known.messages)),
    });
  }
  return near;
};

/** Messages to scan: `reserve` times the expected number, and at most `growth` times the number that the estimate is based on. */
const ahead = { reserve: 1.25, growth: 3 };

const dateOf = (milliseconds: number): Date => new Date(milliseconds);

/** Up to this number of SIMs, all messages are sorted for a page. */
const sortedSims = 20;

/** Messages of these SIMs. Those of many SIMs are scattered, so they are read month by month. */
const findOf = async (
  db: Db,
  { asked, ids }: { asked: AskedMessages; ids: readonly number[] },
): Promise<FoundMessages> => {
  if (ids.length === 0) return { total: 0, times: [] };
  if (ids.length > sortedSims) return findByMonth(db, { asked, ids, holds: [], enough: mostOf(asked) });
  const all = messagesOf(asked, sql`${ids}::bigint[]`);
  return readMessages(db, asked, { counted: all, page: all });
};
