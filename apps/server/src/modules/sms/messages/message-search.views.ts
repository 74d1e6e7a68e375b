import { limits, normaliseWidth } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Condition, Fragment, Narrowing, PagePosition } from '../../../platform/lists/index.ts';
import { fieldPattern } from '../../sim/index.ts';
import { atInstants, type FoundMessages, messageSays, skippedTimes } from './found-messages.views.ts';
import { type FoundSims, findOfSims, findSims, namedSims } from './found-sims.views.ts';
import type { MessageFilter, MessageScope } from './message-rows.views.ts';
import { findSaid, noSample, type Said, type Sample, takeSample } from './said.views.ts';

interface Asked {
  now: Date;
  scope: MessageScope;
  filter: MessageFilter;
  text: string;
  /** The filters other than the text and listed SIMs. */
  within: readonly Fragment<SqlBool>[];
  simIds: readonly number[] | undefined;
  /** Narrows the page if the search does not. */
  otherwise: (place: PagePosition) => Promise<Narrowing>;
}

/**
 * Maximum exact total on a page, because the messages are scattered over the tables; beyond it the page says "at
 * least". For a file they are counted as far as it needs.
 */
const countedOnPage = 1000;

const onRows = (holds: Fragment<SqlBool>): Condition => ({ holds, columns: [] });

/**
 * Searches messages of SIMs that match by an identifier, name, note or tag, and messages that contain the text. Both
 * ways return how many there are, and the instants of the latest, up to the page, which then reads only these
 * instants. Each way first samples the latest messages to estimate the frequency: frequent matches are found by
 * scanning in order, up to a limit; rare ones by an index. If texts don't have a filtered property, such as a status,
 * the latest messages that have it are scanned as well; for listed SIMs, all of their messages.
 */
export const searching = async (db: Db, asked: Asked): Promise<Condition> => {
  const { scope, filter, text } = asked;
  const pattern = fieldPattern(text);
  if (!pattern) return onRows(sql<SqlBool>`false`);
  const says = messageSays(pattern);
  if (scope.simId !== undefined || filter.reply_to !== undefined) return onRows(says);
  const said: Said = {
    orgId: scope.orgId,
    filter,
    text: normaliseWidth(text).trim(),
    pattern,
    simIds: asked.simIds,
  };
  const [sims, sample] = await Promise.all([
    findSims(db, { orgId: scope.orgId, text, pattern, simIds: asked.simIds }),
    asked.simIds ? noSample : takeSample(db, said),
  ]);
  return {
    ...onRows(sql<SqlBool>`(${says} or ${sims.holds})`),
    narrow: (place) => narrowed(db, { asked, sims, said, sample }, place),
  };
};

const narrowed = async (
  db: Db,
  { asked, sims: found, said, sample }: { asked: Asked; sims: FoundSims; said: Said; sample: Sample },
  place: PagePosition,
): Promise<Narrowing> => {
  const { now, scope, filter } = asked;
  const { orgId } = scope;
  const { countLimit: counted, rows, after } = place;
  const isExact = counted > limits.countedTotal;
  const most = isExact ? counted : Math.min(counted, countedOnPage);
  const until = new Date(Math.min(now.getTime(), Date.parse(filter.to ?? now.toISOString())));
  const messages = { orgId, most, rows, before: after ?? undefined, until, isExact };
  const sims = await namedSims(db, found, messages);
  const others = sims.isEach && sims.ids.length > 0 ? [sql<SqlBool>`not (${sims.holds})`] : [];
  const [ofSims, saying] = await Promise.all([
    findOfSims(db, { sims, asked: { ...messages, within: asked.within } }),
    findSaid(db, { said, sample, asked: { ...messages, within: [...others, ...asked.within] } }),
  ]);
  const known = totalOf([ofSims, saying], { most, isExact, isApart: sims.isEach });
  if (isExact && known.isAtLeast && known.total <= most) return {};
  if (!ofSims.times || !saying.times) return { ...(await asked.otherwise(place)), ...known };
  const isSaidAlone = saying.isByText && ofSims.total === 0 && !ofSims.isAtLeast;
  const skipped = isSaidAlone
    ? await skippedTimes(db, { orgId, times: saying.times, skipped: place.skipped })
    : 0;
  const times = [...ofSims.times, ...saying.times.slice(skipped)];
  return { ...known, skipped, from: messagesAt(orgId, times) };
};

const messagesAt = (orgId: number, times: readonly (Date | string)[]): Fragment => {
  const instants = times.map((time) => new Date(time).getTime());
  return sql`(select * from sms_messages where org_id = ${orgId} and ${atInstants(instants)}) as sms_messages`;
};

/** The total of messages found in several ways, which are either disjoint or may overlap. */
const totalOf = (
  ways: readonly FoundMessages[],
  { most, isExact, isApart }: { most: number; isExact: boolean; isApart: boolean },
): { total: number; isAtLeast: boolean } => {
  const totals = ways.map(({ total }) => total);
  const total = isApart ? totals.reduce((sum, one) => sum + one, 0) : Math.max(...totals);
  const isCounted = ways.every((way) => !way.isAtLeast && way.total <= most);
  const isAtLeast = !isCounted || (!isApart && totals.every((one) => one > 0));
  return { total: isAtLeast && !isExact ? Math.min(total, most) : total, isAtLeast };
};
