import { limits, normaliseWidth } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Condition, Fragment, Narrowing, PagePosition } from '../../../platform/lists/index.ts';
import { fieldPattern } from '../../sim/index.ts';
import { findMessagesOfSims, findSims, listMatchingSims, type MatchingSims } from './matching-sims.views.ts';
import {
  atInstants,
  countSkippedTimes,
  type MessageMatches,
  messageContains,
} from './message-query.views.ts';
import type { MessageFilter, MessageScope } from './message-rows.views.ts';
import {
  findMessagesByText,
  noSample,
  type Sample,
  sampleTexts,
  type TextSearch,
} from './text-search.views.ts';

interface SearchInput {
  now: Date;
  scope: MessageScope;
  filter: MessageFilter;
  text: string;
  /** The filters other than the text and listed SIMs. */
  conditions: readonly Fragment<SqlBool>[];
  simIds: readonly number[] | undefined;
  /** Narrows the page if the search does not. */
  fallback: (place: PagePosition) => Promise<Narrowing>;
}

/**
 * Maximum exact total on a page, because the messages are scattered over the tables; beyond it the page says "at
 * least". For a file they are counted as far as it needs.
 */
const maxCountedOnPage = 1000;

const onRows = (holds: Fragment<SqlBool>): Condition => ({ holds, columns: [] });

/**
 * Searches messages of SIMs that match by an identifier, name, note or tag, and messages that contain the text. Both
 * ways return how many there are, and the instants of the latest, up to the page, which then reads only these
 * instants. Each way first samples the latest messages to estimate the frequency: frequent matches are found by
 * scanning in order, up to a limit; rare ones by an index. If texts don't have a filtered property, such as a status,
 * the latest messages that have it are scanned as well; for listed SIMs, all of their messages.
 */
export const searchCondition = async (db: Db, input: SearchInput): Promise<Condition> => {
  const { scope, filter, text } = input;
  const pattern = fieldPattern(text);
  if (!pattern) return onRows(sql<SqlBool>`false`);
  const contains = messageContains(pattern);
  if (scope.simId !== undefined || filter.reply_to !== undefined) return onRows(contains);
  const search: TextSearch = {
    orgId: scope.orgId,
    filter,
    text: normaliseWidth(text).trim(),
    pattern,
    simIds: input.simIds,
  };
  const [sims, sample] = await Promise.all([
    findSims(db, { orgId: scope.orgId, text, pattern, simIds: input.simIds }),
    input.simIds ? noSample : sampleTexts(db, search),
  ]);
  return {
    ...onRows(sql<SqlBool>`(${contains} or ${sims.holds})`),
    narrow: (place) => narrowPage(db, { input, sims, search, sample }, place),
  };
};

const narrowPage = async (
  db: Db,
  {
    input,
    sims: matching,
    search,
    sample,
  }: { input: SearchInput; sims: MatchingSims; search: TextSearch; sample: Sample },
  place: PagePosition,
): Promise<Narrowing> => {
  const { now, scope, filter } = input;
  const { orgId } = scope;
  const { countLimit: counted, rows, after } = place;
  const isExact = counted > limits.countedTotal;
  const countLimit = isExact ? counted : Math.min(counted, maxCountedOnPage);
  const until = new Date(Math.min(now.getTime(), Date.parse(filter.to ?? now.toISOString())));
  const messages = { orgId, countLimit, rows, before: after ?? undefined, until, isExact };
  const sims = await listMatchingSims(db, matching, messages);
  const others = sims.isListed && sims.ids.length > 0 ? [sql<SqlBool>`not (${sims.holds})`] : [];
  const [bySims, byText] = await Promise.all([
    findMessagesOfSims(db, { sims, query: { ...messages, conditions: input.conditions } }),
    findMessagesByText(db, {
      search,
      sample,
      query: { ...messages, conditions: [...others, ...input.conditions] },
    }),
  ]);
  const totals = combinedTotal([bySims, byText], { countLimit, isExact, areDisjoint: sims.isListed });
  if (isExact && totals.isAtLeast && totals.total <= countLimit) return {};
  if (!bySims.times || !byText.times) return { ...(await input.fallback(place)), ...totals };
  const isTextOnly = byText.isByText && bySims.total === 0 && !bySims.isAtLeast;
  const skipped = isTextOnly
    ? await countSkippedTimes(db, { orgId, times: byText.times, skipped: place.skipped })
    : 0;
  const times = [...bySims.times, ...byText.times.slice(skipped)];
  return { ...totals, skipped, from: messagesAt(orgId, times) };
};

const messagesAt = (orgId: number, times: readonly (Date | string)[]): Fragment => {
  const instants = times.map((time) => new Date(time).getTime());
  return sql`(select * from sms_messages where org_id = ${orgId} and ${atInstants(instants)}) as sms_messages`;
};

/** The total of messages found in several ways, which are either disjoint or may overlap. */
const combinedTotal = (
  results: readonly MessageMatches[],
  { countLimit, isExact, areDisjoint }: { countLimit: number; isExact: boolean; areDisjoint: boolean },
): { total: number; isAtLeast: boolean } => {
  const totals = results.map(({ total }) => total);
  const total = areDisjoint ? totals.reduce((sum, one) => sum + one, 0) : Math.max(...totals);
  const isCounted = results.every((result) => !result.isAtLeast && result.total <= countLimit);
  const isAtLeast = !isCounted || (!areDisjoint && totals.every((one) => one > 0));
  return { total: isAtLeast && !isExact ? Math.min(total, countLimit) : total, isAtLeast };
};
