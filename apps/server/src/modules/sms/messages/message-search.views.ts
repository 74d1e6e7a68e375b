import { limits, widthless } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Condition, Fragment, Narrowed, PagePlace } from '../../../platform/lists/index.ts';
import { fieldPattern } from '../../sim/index.ts';
import { messageSays } from './found-messages.views.ts';
import { type FoundSims, findOfSims, findSims } from './found-sims.views.ts';
import type { MessageFilter, MessageScope } from './message-rows.views.ts';
import { findSaid, type Said, type Sample, takeSample } from './said.views.ts';

interface Asked {
  scope: MessageScope;
  filter: MessageFilter;
  text: string;
  /** What is filtered beside the text, but for SIMs that are named. */
  within: readonly Fragment<SqlBool>[];
  simIds: readonly number[] | undefined;
  /** What is known of the page when the search says too little of it. */
  otherwise: (place: PagePlace) => Promise<Narrowed>;
}

/** Each is a place of its own in the tables: of more a page says "at least". For a file they are counted as far as it asks. */
const countedOnPage = 1000;

const onRows = (holds: Fragment<SqlBool>): Condition => ({ holds, columns: [] });

/**
 * Messages of SIMs that are found by an identifier or their name, and messages that say it. Both ways tell how many there are,
 * and when the latest of them were sent or received, as many as are on the page: it reads these instants alone. The latest
 * thousand texts tell how often it is said, and which four of its threes of letters are the rarest: no others are asked for, as
 * an index reads the lists of frequent ones to their end. What one in thirty says is found along the order of the texts
 * instead. Where texts do not know what is filtered, such as a status, the latest messages that have it are looked at as well.
 */
export const searching = async (db: Db, asked: Asked): Promise<Condition> => {
  const { scope, filter, text } = asked;
  const pattern = fieldPattern(text);
  if (!pattern) return onRows(sql<SqlBool>`false`);
  const says = messageSays(pattern);
  if (scope.simId !== undefined || filter.reply_to !== undefined) return onRows(says);
  const said: Said = { orgId: scope.orgId, filter, text: widthless(text).trim(), pattern };
  const [sims, sample] = await Promise.all([
    findSims(db, { orgId: scope.orgId, text, pattern }),
    takeSample(db, said),
  ]);
  return {
    ...onRows(sql<SqlBool>`(${sims.holds} or ${says})`),
    narrowed: (place) => narrowed(db, { asked, sims, said, sample }, place),
  };
};

const narrowed = async (
  db: Db,
  { asked, sims, said, sample }: { asked: Asked; sims: FoundSims; said: Said; sample: Sample },
  place: PagePlace,
): Promise<Narrowed> => {
  const { orgId } = asked.scope;
  const { counted, rows, after } = place;
  const most = counted > limits.countedTotal ? counted : Math.min(counted, countedOnPage);
  const messages = { orgId, most, rows, before: after ?? undefined, simIds: asked.simIds };
  const others = sims.ids.length > 0 ? [sql<SqlBool>`not (${sims.holds})`] : [];
  const [ofSims, saying] = await Promise.all([
    findOfSims(db, { sims, asked: { ...messages, within: asked.within } }),
    findSaid(db, { said, sample, asked: { ...messages, within: [...others, ...asked.within] } }),
  ]);
  const ways = [ofSims, saying];
  const known = {
    total: ofSims.total + saying.total,
    isAtLeast: ways.some(({ total, isAtLeast }) => isAtLeast || total > most),
  };
  if (!ofSims.times || !saying.times) return { ...(await asked.otherwise(place)), ...known };
  const times = [...ofSims.times, ...saying.times];
  return {
    ...known,
    from: sql`(
      select * from sms_messages where org_id = ${orgId} and at = any(${times}::timestamptz[])) as sms_messages`,
  };
};
