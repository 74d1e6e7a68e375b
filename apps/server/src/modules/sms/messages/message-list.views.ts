import { limits } from '@simcube/contract';
import type { Sms, SmsId } from '@simcube/contract/sms';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Condition, Fragment, List } from '../../../platform/lists/index.ts';
import { statusNumber } from '../sms.rules.ts';
import {
  type MessageColumns,
  type MessageFilter,
  type MessageScope,
  messageColumns,
  partsOfId,
  showMessages,
} from './message-rows.views.ts';
import { searching } from './message-search.views.ts';

/** Messages of an organisation, the latest first. */
export const messageList: List<MessageScope, MessageFilter, MessageColumns, Sms> = {
  name: 'sms.messages',
  tables: [{ name: 'messages', from: () => sql`sms_messages`, own: ({ scope }) => ownedBy(scope) }],
  key: { column: 'id', type: 'integer' },
  order: [{ column: 'at', type: 'instant', descending: true }],
  filters: async (db, filter, { scope }) => {
    const { iccids, search: text } = filter;
    const rows = [...conditionsOf(filter), ...(iccids?.length ? [await ofNamed(db, iccids)] : [])];
    if (!text) return rows.map(onRows);
    const isFew = iccids !== undefined && iccids.length > 0;
    return [...rows.map(onRows), await searching(db, { scope, filter, text, within: rows, isFew })];
  },
  counted: limits.countedTotal,
  select: messageColumns,
  show: (rows, { db, scope }) => showMessages(db, scope.orgId, rows),
};

const onRows = (holds: Fragment<SqlBool>): Condition => ({ holds, columns: [] });

const ownedBy = ({ orgId, simId }: MessageScope): Fragment<SqlBool> =>
  simId === undefined
    ? sql<SqlBool>`org_id = ${orgId}`
    : sql<SqlBool>`sim_id = ${simId} and org_id = ${orgId}`;

const conditionsOf = (filter: MessageFilter): Fragment<SqlBool>[] => {
  const { from, to, kind, status, direction, reply_to: replyTo } = filter;
  const mt = direction === 'mt' || kind !== undefined || status?.length;
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql<SqlBool>`at < ${to}::timestamptz`]),
    ...(mt ? [sql<SqlBool>`not mobile_originated`] : []),
    ...(direction === 'mo' ? [sql<SqlBool>`mobile_originated`] : []),
    ...(kind === undefined ? [] : [sql<SqlBool>`scheduled = ${kind === 'scheduled'}`]),
    // As literals: only so is the index of what is not delivered known to hold them.
    ...(status?.length
      ? [sql<SqlBool>`status in (${sql.join(status.map((one) => sql.lit(statusNumber(one))))})`]
      : []),
    ...(replyTo === undefined ? [] : [answering(replyTo)]),
  ];
};

/** Replies come within a day after their message: only months of that day are read. */
const answering = (id: SmsId): Fragment<SqlBool> => {
  const { iccid, at, number } = partsOfId(id);
  const latest = new Date(at.getTime() + limits.sms.replyHours * 3_600_000);
  return sql<SqlBool>`sim_id = (select s.id from sims s where s.iccid = ${iccid}) and reply_to_id = ${number}
    and at >= ${at} and at <= ${latest}`;
};

const ofNamed = async (db: Db, iccids: readonly string[]): Promise<Fragment<SqlBool>> => {
  const { rows } = await sql<{
    id: number;
  }>`select id from sims where iccid = any(${iccids}::text[])`.execute(db);
  return sql<SqlBool>`sim_id = any(${rows.map(({ id }) => id)}::bigint[])`;
};
