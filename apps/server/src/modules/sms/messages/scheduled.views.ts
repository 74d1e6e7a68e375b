import { limits } from '@simcube/contract';
import { type SmsStatus, smsStatuses } from '@simcube/contract/sms';
import { hourMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import { statusNumber, statusOf } from '../sms.rules.ts';

/** The states of the messages that a task sent by schedule. */
export interface ScheduledCounts extends Record<SmsStatus, number> {
  messages: number;
  replies: number;
  /** When the last message was accepted. */
  acceptedAt: Date;
  /** Time of the last known change. */
  settledAt: Date | null;
}

type CountRow = {
  task: string;
  messages: number;
  replies: number;
  accepted_at: Date;
  settled_at: Date | null;
} & Record<`status_${number}`, number>;

/** By task reference; tasks without messages are omitted. */
export const countScheduled = async (
  sql: Sql,
  { orgId, tasks }: { orgId: number; tasks: readonly string[] },
): Promise<Map<string, ScheduledCounts>> => {
  if (tasks.length === 0) return new Map();
  const counted = smsStatuses.map(
    (status) =>
      `count(*) filter (where s.status = ${statusNumber(status)})::int as status_${statusNumber(status)}`,
  );
  const { rows } = await sql.query<CountRow>(
    `with sent as materialized (
       select task, sim_id, at, id, status, settled_at from sms_messages
       where scheduled and task = any($1::text[]) and org_id = $2),
     replies as (
       select s.task, count(*)::int as replies from sent s
       join sms_messages r on r.sim_id = s.sim_id and r.at >= s.at and r.at <= s.at + $3::bigint * interval '1 ms'
         and r.reply_to_id = s.id and r.mobile_originated and r.org_id = $2
       group by 1)
     select s.task, count(*)::int as messages, ${counted.join(', ')}, max(s.at) as accepted_at,
       max(s.settled_at) as settled_at, coalesce(max(r.replies), 0) as replies
     from sent s left join replies r on r.task = s.task group by 1`,
    [tasks, orgId, limits.sms.replyHours * hourMs],
  );
  return new Map(rows.map((row) => [row.task, countsOf(row)]));
};

const countsOf = ({ messages, replies, ...row }: CountRow): ScheduledCounts => ({
  messages,
  replies,
  acceptedAt: row.accepted_at,
  settledAt: row.settled_at,
  ...(Object.fromEntries(
    smsStatuses.map((status) => [status, row[`status_${statusNumber(status)}`] ?? 0]),
  ) as Record<SmsStatus, number>),
});

/** The message of a task to each of these SIMs, by SIM id. */
export const listLastScheduled = async (
  sql: Sql,
  { orgId, task, simIds }: { orgId: number; task: string; simIds: readonly number[] },
): Promise<Map<number, { at: Date; status: SmsStatus }>> => {
  const { rows } = await sql.query<{ sim_id: number; at: Date; status: number }>(
    `select sim_id, at, status from sms_messages
     where scheduled and task = $1 and sim_id = any($2::bigint[]) and org_id = $3`,
    [task, simIds, orgId],
  );
  return new Map(
    rows.flatMap(({ sim_id, at, status }) => {
      const known = statusOf(status);
      return known ? [[sim_id, { at, status: known }]] : [];
    }),
  );
};
