import { limits } from '@simcube/contract';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Condition, Fragment } from '../../../platform/lists/index.ts';
import { fieldPattern, foundShort, simsBy, tagsLike } from '../../sim/index.ts';
import type { MessageFilter, MessageScope } from './message-rows.views.ts';

type FieldSearch = NonNullable<ReturnType<typeof fieldPattern>>;

interface Sought {
  scope: MessageScope;
  filter: MessageFilter;
  text: string;
  pattern: FieldSearch;
  /** Of a text that is too short for the index of longer ones: the tags that have it. */
  tags: readonly string[];
  /** What is known of messages without their contents. */
  within: readonly Fragment<SqlBool>[];
}

/** More SIMs than these are found by a look at each message. */
const simsNamed = 1000;
/** The latest messages, of which so many say it when it is found along the order. */
const sample = { rows: 1000, dense: 100 };

const onRows = (holds: Fragment<SqlBool>): Condition => ({ holds, columns: [] });
const ofOrg = ({ orgId }: MessageScope) => sql<SqlBool>`org_id = ${orgId}`;
const all = (conditions: readonly Fragment<SqlBool>[]) => sql<SqlBool>`${sql.join(conditions, sql` and `)}`;

/**
 * Messages of SIMs that are found by an identifier or their name, and messages that say it. No single way finds both what
 * every message says and what one of millions does: that is looked up, the other is found along the order.
 */
export const searching = async (
  db: Db,
  asked: Pick<Sought, 'scope' | 'filter' | 'within'> & { text: string; isFew: boolean },
): Promise<Condition> => {
  const { scope, text, isFew } = asked;
  const pattern = fieldPattern(text);
  if (!pattern) return onRows(sql<SqlBool>`false`);
  const says = sql<SqlBool>`sms_search_text(content) like folded(${pattern.like})`;
  if (scope.simId !== undefined) return onRows(says);
  const tags = pattern.indexed === undefined ? await tagsLike(db, scope, inField(pattern)) : [];
  const sought: Sought = { ...asked, pattern, tags };
  const [simIds, isEverywhere] = await Promise.all([
    findSims(db, sought),
    isFew || isSaidEverywhere(db, sought, says),
  ]);
  const ofSims = simIds
    ? sql<SqlBool>`sim_id = any(${simIds}::bigint[])`
    : sql<SqlBool>`exists (select from sims s where s.id = sim_id and ${matching(sought)})`;
  const either = onRows(sql<SqlBool>`(${ofSims} or ${says})`);
  if (isEverywhere || !simIds) return either;
  const times = await findTimes(db, sought);
  if (!times) return isCountedByContents(asked.filter) ? { ...either, narrowed: atLeastCounted } : either;
  const atTimes = sql<SqlBool>`at = any(${times}::timestamptz[]) and ${says}`;
  return {
    ...either,
    either: [{ holds: ofSims }, { holds: atTimes }],
    narrowed: () =>
      Promise.resolve({
        from: sql`(select * from sms_messages where ${ofOrg(scope)} and ${ofSims}
          union all select * from sms_messages where ${ofOrg(scope)} and ${atTimes} and not ${ofSims}) as sms_messages`,
      }),
  };
};

/** There are more than are counted. */
const atLeastCounted = () => Promise.resolve({ total: limits.countedTotal + 1 });

/** Whether what is looked up has all that is filtered. */
const isCountedByContents = ({ status, reply_to: replyTo }: MessageFilter): boolean =>
  !status?.length && replyTo === undefined;

/** Undefined: too many to name them. */
const findSims = async (db: Db, sought: Sought): Promise<number[] | undefined> => {
  const { text } = sought;
  const { rows } = await sql<{ id: number }>`
    select s.id from sims s where ${matching(sought)}
    union select i.sim_id from ${sql.raw(simsBy('iccid', 'msisdn'))} i where i.value = ${text}
    limit ${simsNamed + 1}`.execute(db);
  return rows.length > simsNamed ? undefined : rows.map(({ id }) => id);
};

/** Condition on SIMs (`s`). */
const matching = ({ scope, text, pattern, tags }: Sought): Fragment<SqlBool> => {
  const { indexed } = pattern;
  const lookup =
    indexed === undefined
      ? sql<SqlBool>`(${foundShort(text)} or s.tags && ${[...tags]}::text[])`
      : sql<SqlBool>`s.search_text like folded(${indexed})`;
  // As an expression that no index has: of one letter or two that of search_text would find everything.
  return sql<SqlBool>`s.org_id = ${scope.orgId} and ${lookup} and s.search_text || '' like folded(${inField(pattern)})`;
};

const inField = ({ like, atStart }: FieldSearch): string => (atStart ? `%\n${like}` : like);

const isSaidEverywhere = async (
  db: Db,
  { scope, within }: Sought,
  says: Fragment<SqlBool>,
): Promise<boolean> => {
  const { rows } = await sql<{ rows: number; found: number }>`
    select count(*)::int as rows, count(*) filter (where ${says})::int as found from (
      select content from sms_messages where ${all([ofOrg(scope), ...within])}
      order by at desc, id desc limit ${sample.rows}) as latest`.execute(db);
  const [latest = { rows: 0, found: 0 }] = rows;
  return latest.rows < sample.rows || latest.found >= sample.dense;
};

/** When messages that say it were sent or received; undefined when too often. */
const findTimes = async (db: Db, sought: Sought): Promise<Date[] | undefined> => {
  const { scope, filter, text, pattern } = sought;
  const { like, indexed } = pattern;
  const { from, to, direction, kind, status } = filter;
  const isMt = direction === 'mt' || kind !== undefined || status?.length;
  const looked =
    indexed === undefined
      ? sql<SqlBool>`sms_short_texts(content) @> array[left(folded(${text.trim()}), 2)]`
      : sql<SqlBool>`content like folded(${indexed})`;
  const conditions = [
    // As an expression that no index has: of one letter or two the other index would find everything.
    ...[ofOrg(scope), looked, sql<SqlBool>`content || '' like folded(${like})`],
    ...(from === undefined ? [] : [sql<SqlBool>`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql<SqlBool>`at < ${to}::timestamptz`]),
    ...(isMt ? [sql<SqlBool>`not mobile_originated`] : []),
    ...(direction === 'mo' ? [sql<SqlBool>`mobile_originated`] : []),
    ...(kind === undefined ? [] : [sql<SqlBool>`scheduled = ${kind === 'scheduled'}`]),
  ];
  const { rows } = await sql<{ at: Date }>`
    select at from sms_contents where ${all(conditions)} limit ${limits.countedTotal + 1}`.execute(db);
  return rows.length > limits.countedTotal ? undefined : rows.map(({ at }) => at);
};
