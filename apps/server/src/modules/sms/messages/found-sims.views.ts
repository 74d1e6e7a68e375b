import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Fragment } from '../../../platform/lists/index.ts';
import { type FieldSearch, foundShort, orgSims, scopedTo, simsBy, tagsLike } from '../../sim/index.ts';
import {
  type AskedMessages,
  type FoundMessages,
  latestOf,
  messagesOf,
  ofSimIds,
  readMessages,
} from './found-messages.views.ts';

/** What the SIMs of an organisation are searched for. */
export interface SimSearch {
  orgId: number;
  text: string;
  pattern: FieldSearch;
}

/** The SIMs that are found by an identifier or their name. */
export interface FoundSims {
  /** As many of them as are named. */
  ids: readonly number[];
  /** There are no others. */
  isEach: boolean;
  /** Condition on messages: of one of them. */
  holds: Fragment<SqlBool>;
  /** Names more, where that is quicker than to look at each message. */
  findMore: () => Promise<readonly number[] | undefined>;
}

/** More SIMs than these are found by a look at that of each message. */
const named = 1000;
/** So many of the latest messages are looked at; where they have too few of the SIMs, these are named after all. */
const lookedAt = 10_000;
const namedAtMost = 10_000;
/** As many messages as are quickly asked whether they are of one of those. */
const walked = 100_000;

export const findSims = async (db: Db, search: SimSearch): Promise<FoundSims> => {
  const { orgId, text, pattern } = search;
  const [{ isMost }, tags] = await Promise.all([
    orgSims(db, { orgId }),
    pattern.indexed === undefined ? tagsLike(db, { orgId }, inField(pattern)) : [],
  ]);
  const { sims: own, simsBeside } = scopedTo({ id: orgId });
  const matching = matchingSims(search, tags);
  const idsOf = async (most: number): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`
      (select s.id from sims s where ${isMost ? simsBeside : own} and ${matching} limit ${most + 1})
      union (select i.sim_id from ${sql.raw(simsBy('iccid', 'msisdn'))} i where i.value = ${text})`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  };
  const ids = await idsOf(named);
  const isEach = ids.length <= named;
  return {
    ids,
    isEach,
    holds: isEach
      ? ofSimIds(ids)
      : sql<SqlBool>`exists (select from sims s where s.id = sim_id and ${own} and ${matching})`,
    findMore: async () => {
      const more = await idsOf(namedAtMost);
      return more.length > namedAtMost ? undefined : more;
    },
  };
};

/** Condition on SIMs (`s`). */
const matchingSims = ({ text, pattern }: SimSearch, tags: readonly string[]): Fragment<SqlBool> => {
  const { indexed } = pattern;
  const lookup =
    indexed === undefined
      ? sql<SqlBool>`(${foundShort(text)} or s.tags && ${[...tags]}::text[])`
      : sql<SqlBool>`s.search_text like folded(${indexed})`;
  // As an expression that no index has: of one letter or two that of search_text would find everything.
  return sql<SqlBool>`${lookup} and s.search_text || '' like folded(${inField(pattern)})`;
};

const inField = ({ like, atStart }: FieldSearch): string => (atStart ? `%\n${like}` : like);

/** Messages of SIMs that were found. */
export const findOfSims = async (
  db: Db,
  { sims, asked }: { sims: FoundSims; asked: AskedMessages },
): Promise<FoundMessages> => {
  if (sims.ids.length === 0) return { total: 0, times: [] };
  const all = messagesOf(asked, sims.ids);
  if (sims.isEach) {
    const { total, times } = await readMessages(db, asked, { counted: all, page: all });
    return { total, times };
  }
  const near = await readMessages(db, asked, { counted: all, page: latestOf(asked, lookedAt, sims.holds) });
  const counted = { total: near.total, isAtLeast: true };
  if (near.messages > asked.rows) return { ...counted, times: near.times };
  const more = await sims.findMore();
  if (!more) return { ...counted, times: undefined };
  if (near.total <= asked.most) {
    const each = messagesOf(asked, more);
    const { total, times } = await readMessages(db, asked, { counted: each, page: each });
    return { total, times };
  }
  const page = latestOf(asked, walked, ofSimIds(more));
  const { messages, times } = await readMessages(db, asked, { counted: all, page });
  return { ...counted, times: messages > asked.rows ? times : undefined };
};
