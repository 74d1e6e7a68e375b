import { limits } from '@simcube/contract';
import type { Sms, SmsId } from '@simcube/contract/sms';
import { hourMs } from '@simcube/contract/time';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Condition, Fragment, List } from '../../../platform/lists/index.ts';
import { caseVariants, simsBy } from '../../sim/index.ts';
import { statusNumber } from '../sms.rules.ts';
import {
  type MessageColumns,
  type MessageFilter,
  type MessageScope,
  messageColumns,
  partsOfId,
  restColumns,
  showMessages,
} from './message-rows.views.ts';
import { searchCondition } from './message-search.views.ts';
import { ofKind } from './text-search.views.ts';

/** Messages of an organisation, latest first. */
export const messageList: List<MessageScope, MessageFilter, MessageColumns, Sms> = {
  name: 'sms.messages',
  tables: [{ name: 'messages', from: () => sql`sms_messages`, inScope: ({ scope }) => ownedBy(scope) }],
  key: { column: 'id', type: 'integer' },
  order: [{ column: 'at', type: 'instant', descending: true }],
  filters: async (db, filter, { scope, now }) => {
    const { iccids, search: text } = filter;
    const rows = conditionsOf(filter).map(onRows);
    const simIds = iccids && (await listSimIds(db, iccids));
    const bySims = simIds ? [ofListedSims(simIds, { scope, filter })] : [];
    const conditions = [...rows, ...bySims];
    if (!text) return conditions;
    const others = rows.map(({ holds }) => holds);
    const fallback = bySims[0]?.narrow ?? (() => Promise.resolve({}));
    // The search's narrowing of the page takes precedence over that by SIMs.
    return [
      await searchCondition(db, { now, scope, filter, text, conditions: others, simIds, fallback }),
      ...conditions,
    ];
  },
  countLimit: limits.countedTotal,
  select: messageColumns,
  show: (rows, { db, scope }) => showMessages(db, scope.orgId, rows),
};

const onRows = (holds: Fragment<SqlBool>): Condition => ({ holds, columns: [] });

const ownedBy = ({ orgId, simId }: MessageScope): Fragment<SqlBool> =>
  simId === undefined
    ? sql<SqlBool>`org_id = ${orgId}`
    : sql<SqlBool>`sim_id = ${simId} and org_id = ${orgId}`;

const betweenOf = ({ from, to }: Pick<MessageFilter, 'from' | 'to'>): Fragment<SqlBool>[] => [
  ...(from === undefined ? [] : [sql<SqlBool>`at >= ${from}::timestamptz`]),
  ...(to === undefined ? [] : [sql<SqlBool>`at < ${to}::timestamptz`]),
];

const conditionsOf = (filter: MessageFilter): Fragment<SqlBool>[] => {
  const { from, to, kind, status, reply_to: replyTo } = filter;
  return [
    ...betweenOf({ from, to }),
    ...ofKind(filter),
    ...(kind === 'reply' ? [sql<SqlBool>`reply_to_id is not null`] : []),
    // As literals: otherwise the planner can't use the partial index of undelivered messages.
    ...(status?.length
      ? [sql<SqlBool>`status in (${sql.join(status.map((one) => sql.lit(statusNumber(one))))})`]
      : []),
    ...(replyTo === undefined ? [] : [repliesTo(replyTo)]),
  ];
};

/** Replies arrive within a day of their message, so only the months of that day are read. */
const repliesTo = (id: SmsId): Fragment<SqlBool> => {
  const { iccid, at, number } = partsOfId(id);
  const latest = new Date(at.getTime() + limits.sms.replyHours * hourMs);
  return sql<SqlBool>`sim_id = (select i.sim_id from ${sql.raw(simsBy('iccid'))} i where i.value = ${iccid}) and reply_to_id = ${number}
    and at >= ${at} and at <= ${latest}`;
};

const listSimIds = async (db: Db, iccids: readonly string[]): Promise<number[]> => {
  const { rows } = await sql<{
    id: number;
  }>`select i.sim_id as id from ${sql.raw(simsBy('iccid'))} i where i.value = any(${iccids.flatMap(caseVariants)}::text[])`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

/** With more SIMs, sorting all messages for each page takes too long, so the page is found by scanning all messages in order. */
const maxSortedSims = 50;

const ofListedSims = (
  simIds: readonly number[],
  { scope, filter }: { scope: MessageScope; filter: MessageFilter },
): Condition => {
  const bySims = onRows(sql<SqlBool>`sim_id = any(${simIds}::bigint[])`);
  if (simIds.length > maxSortedSims) return bySims;
  const holds = sql.join([ownedBy(scope), bySims.holds, ...betweenOf(filter)], sql` and `);
  return { ...bySims, narrow: () => Promise.resolve({ from: inOrder(holds) }) };
};

/**
 * Orders messages by an index alone and looks each one up when a page needs it: messages of a few SIMs among millions
 * of others are scattered, both in time and in the table.
 */
const inOrder = (holds: Fragment): Fragment => sql`(
  select k.*, m.* from (
    select sim_id, at, id from sms_messages where ${holds} order by at desc, id desc) as k
  cross join lateral (
    select org_id, ${restColumns} from sms_messages s
    where s.sim_id = k.sim_id and s.at = k.at and s.id = k.id limit 1) as m) as sms_messages`;
