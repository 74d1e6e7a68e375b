import { limits } from '@simcube/contract';
import type { Sms, SmsFilter, SmsId } from '@simcube/contract/sms';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { Condition, Fragment, List } from '../../../platform/lists/index.ts';
import { fieldPattern } from '../../sim/index.ts';
import { statusNumber } from '../sms.rules.ts';
import { type MessageColumns, messageColumns, partsOfId, showMessages } from './message-rows.views.ts';

/** Whose messages: those that were sent and received for the organisation; of one SIM, when it is said. */
export interface MessageScope {
  orgId: number;
  simId?: number;
}

export interface MessageFilter extends SmsFilter {
  reply_to?: SmsId | undefined;
}

/** Messages of an organisation, the latest first. */
export const messageList: List<MessageScope, MessageFilter, MessageColumns, Sms> = {
  name: 'sms.messages',
  tables: [{ name: 'messages', from: () => sql`sms_messages`, own: ({ scope }) => ownedBy(scope) }],
  key: { column: 'id', type: 'integer' },
  order: [{ column: 'at', type: 'instant', descending: true }],
  filters: async (db, filter, { scope }) => {
    const simIds = await findSims(db, scope, filter);
    return [
      ...conditionsOf(filter).map(onRows),
      ...(simIds ? [onRows(sql<SqlBool>`sim_id = any(${simIds}::bigint[])`)] : []),
      ...(filter.search && !simIds ? [onRows(ofFoundSims(scope, filter.search))] : []),
    ];
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

/** More SIMs than these are found by a look at each message. */
const simsNamed = 1000;

/** The SIMs that a filter names; undefined when it names none, or a search finds too many to name them. */
const findSims = async (
  db: Db,
  scope: MessageScope,
  { iccids, search }: MessageFilter,
): Promise<number[] | undefined> => {
  const [named, found] = await Promise.all([
    iccids?.length
      ? sql<{ id: number }>`select id from sims where iccid = any(${iccids}::text[])`.execute(db)
      : undefined,
    search
      ? sql<{ id: number }>`
          select s.id from sims s where ${matching(scope, search)}
          union select s.id from sims s where s.iccid = ${search} or s.msisdn = ${search}
          limit ${simsNamed + 1}`.execute(db)
      : undefined,
  ]);
  const ids = named?.rows.map(({ id }) => id);
  const sought =
    found && found.rows.length <= simsNamed ? new Set(found.rows.map(({ id }) => id)) : undefined;
  if (!sought) return ids;
  return ids ? ids.filter((id) => sought.has(id)) : [...sought];
};

const ofFoundSims = (scope: MessageScope, search: string): Fragment<SqlBool> =>
  sql<SqlBool>`exists (select from sims s where s.id = sim_id and ${matching(scope, search)})`;

/** Condition on SIMs (`s`). */
const matching = ({ orgId }: MessageScope, search: string): Fragment<SqlBool> => {
  const found = fieldPattern(search);
  if (!found) return sql<SqlBool>`false`;
  const like = found.atStart ? `%\n${found.like}` : found.like;
  return sql<SqlBool>`s.org_id = ${orgId} and s.search_text like lower(${found.indexed ?? like})
    and s.search_text like lower(${like})`;
};
